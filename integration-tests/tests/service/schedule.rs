//! Projects on the command line.

use crate::command_line::run_at_with_input;
use stratagem_integration_tests::Server;

/// Two jobs of 8 and 4 that do not fit side by side, in PSPLIB's form: 12 in all.
const PROJECT: &str = "\
file with basedata            : small.bas
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          2           2   3
   2        1          1           4
   3        1          1           4
   4        1          0
************************************************************************
REQUESTS/DURATIONS:
jobnr. mode duration  R 1  R 2
------------------------------------------------------------------------
  1      1     0       0    0
  2      1     8       7    0
  3      1     4       6    0
  4      1     0       0    0
************************************************************************
RESOURCEAVAILABILITIES:
  R 1  R 2
   12   13
************************************************************************
";

#[tokio::test]
async fn the_command_line_plans_files_of_others() {
    let server = Server::start(&[]).await;
    let plan = ["schedule", "plan", "-", "--iterations", "1000"];
    let json = run_at_with_input(&server, &[&plan[..], &["-o", "json"]].concat(), PROJECT);
    let answer = json.with_code(0).json();
    assert_eq!(answer["plan"]["makespan_offset"], "12s");
    let table = run_at_with_input(&server, &plan, PROJECT).with_code(0);
    assert!(table.stdout.contains("makespan 12s"), "{}", table.stdout);
    let stream = [&plan[..], &["--stream", "-o", "ndjson", "--quiet"]].concat();
    let steps = run_at_with_input(&server, &stream, PROJECT);
    let steps = steps.with_code(0).json_lines();
    let last = steps.last().expect("there is a step");
    assert_eq!(last["report"]["status"], "SOLVE_STATUS_OPTIMAL");
    let drawn = run_at_with_input(&server, &["schedule", "render", "-"], PROJECT).with_code(0);
    assert!(drawn.stdout.contains("13 of 12"), "{}", drawn.stdout);
    let wrong = PROJECT.replace("7    0", "seven 0");
    let run = run_at_with_input(&server, &plan, &wrong).with_code(5);
    assert!(run.stderr.contains("stdin:13:"), "{}", run.stderr);
}
