//! Memory, where slots are free.

use super::*;

#[tokio::test]
async fn whoever_is_behind_one_that_waits_for_memory_has_a_place_in_the_queue() {
    let admission = with_memory(8, 2, 100);
    let needs = |memory, hours| Wish {
        memory,
        ..wish(Class::Normal, hours)
    };
    let holder = at_once(&admission, needs(80, 1)).await.unwrap();
    let mut large = enter(&admission, needs(50, 2));
    let mut small = enter(&admission, needs(10, 9));
    // Slots and memory are there for them, but not their turn.
    for hours in [8, 7, 6] {
        let mut entering: Entering<'_> = Box::pin(admission.enter(needs(10, hours)));
        let Poll::Ready(Err(Refusal::QueueFull { .. })) = poll(&mut entering) else {
            panic!("the queue is full");
        };
    }
    assert_eq!(admission.load(), (1, 2));
    drop(holder);
    assert!(is_in(&mut large).is_some() && is_in(&mut small).is_some());
}
