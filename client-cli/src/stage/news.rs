//! What happened in a rehearsal.

/// What happened.
pub(crate) enum News {
    /// An event happened.
    Happened {
        /// Its id.
        event: String,
        /// When, in microseconds.
        at_us: i64,
        /// Why, for people: `our plan`, `you`, `at the latest`.
        by: &'static str,
    },
    /// A choice was made.
    Picked {
        /// Its id.
        choice: String,
        /// Id of the option.
        option: String,
        /// Whether the players did.
        players: bool,
    },
    /// An activity begins: what it needs, and from where, the stock being empty.
    Begins {
        /// Id of the activity.
        activity: String,
        /// Ids of resource and of the activities that it comes from.
        brings: Vec<(String, String)>,
    },
    /// The story has left its plan.
    Lost,
}
