//! Couplings in explanations and certificates.

use allocation::certificate::CouplingId;

/// Field path of a coupling within the problem.
pub(super) fn coupling_field(coupling: CouplingId) -> String {
    match coupling {
        CouplingId::Order(order) => format!("couplings.orders[{order}]"),
        CouplingId::Pair(pair) => format!("couplings.pairs[{pair}]"),
        CouplingId::Group(group) => format!("couplings.groups[{group}]"),
    }
}

/// Code where one agent has to do both tasks of a coupling and none can.
pub(super) fn one_agent_code(coupling: CouplingId) -> &'static str {
    match coupling {
        CouplingId::Order(_) => "ORDER_AGENTS",
        CouplingId::Pair(_) | CouplingId::Group(_) => "PAIR_AGENTS",
    }
}

/// Code where a coupling makes a task too late.
pub(super) fn too_late_code(coupling: CouplingId) -> &'static str {
    match coupling {
        CouplingId::Order(_) => "ORDER_TOO_LATE",
        CouplingId::Pair(_) => "PAIR_TOO_LATE",
        CouplingId::Group(_) => "GROUP_TOO_LATE",
    }
}
