//! The seeds of the fuzz targets are requests that the server takes.

use super::*;
use prost::Message as _;
use std::path::{Path, PathBuf};

/// Why the decoder of a fuzz target rejects bytes, if it does.
fn rejection(target: &str, bytes: &[u8]) -> Option<Rejected> {
    match target {
        "decode_allocate" => allocate(bytes).err(),
        "decode_board" => board(bytes).err(),
        "decode_books" => books(bytes).err(),
        "decode_crew" => crew(bytes).err(),
        "decode_heist" => heist(bytes).err(),
        "decode_narrative" => narrative(bytes).err(),
        "decode_any_request" => any_request(bytes).err(),
        "decode_patrol" => patrol(bytes).err(),
        "decode_puzzle" => puzzle(bytes).err(),
        "decode_schedule" => schedule(bytes).err(),
        "decode_story" => story(bytes).err(),
        "decode_temporal" => temporal(bytes).err(),
        "read_file" => any_request(&import(bytes)).err(),
        _ => panic!("no decoder for the seeds of {target}"),
    }
}

/// A request to read a file.
fn import(file: &[u8]) -> Vec<u8> {
    let content = String::from_utf8(file.to_vec()).unwrap();
    let request = pb::ImportProblemRequest {
        content,
        ..pb::ImportProblemRequest::default()
    };
    let mut bytes = b"ImportProblem\n".to_vec();
    request.encode(&mut bytes).unwrap();
    bytes
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn every_seed_is_a_valid_request() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let mut rejected = Vec::new();
    for folder in entries(&seeds) {
        let target = folder.file_name().unwrap().to_string_lossy();
        for file in entries(&folder) {
            let bytes = std::fs::read(&file).unwrap();
            let seed = file.file_name().unwrap().to_string_lossy();
            rejected
                .extend(rejection(&target, &bytes).map(|why| format!("{target}/{seed}: {why:?}")));
        }
    }
    assert!(rejected.is_empty(), "{}", rejected.join("\n"));
}
