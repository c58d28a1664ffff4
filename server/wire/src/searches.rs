//! Declares the methods of planners.

/// Methods that search, by the functions of their planner: what searches and how the caller calls
/// things, then strategies and limits, the request and the response, and what else a
/// [`Method`](crate::method::Method) has; one with a `step` is streamed, `resume` is its
/// `continue_from`.
macro_rules! searches {
    ($($method:ident: $planner:ty, $names:ty {
        strategies: $strategies:path,
        limits: $limits:path,
        read: $read:expr,
        answer: $answer:path,
        $(step: $step:expr,)?
        $(objective: $objective:expr,)?
        $(levels: $levels:expr,)?
        $(bound_terms: $bound_terms:path,)?
        $(resume: $resume:path,)?
    })*) => {
        $(impl $crate::method::Method for $crate::contract::$method {
            type Planner = $planner;
            type Names = $names;

            fn strategies() -> Vec<stratagem_proto::v1::StrategyInfo> {
                $strategies()
            }

            fn limits() -> Vec<stratagem_proto::v1::ServerLimit> {
                $limits()
            }

            fn read(
                message: Self::Request,
                with: &$crate::method::Reading<'_>,
            ) -> Result<$crate::method::RequestOf<Self>, $crate::mistakes::Mistakes> {
                $read(message, with)
            }

            fn encode(
                asked: &$crate::method::Asked<Self>,
                outcome: &anytime::Outcome<$planner>,
            ) -> Self::Answer {
                $answer(asked, outcome)
            }

            $(fn step(
                asked: &$crate::method::Asked<Self>,
                best: &anytime::Found<$planner>,
            ) -> Option<Self::Answer> {
                $step(asked, best)
            })?

            $(fn objective(
                asked: &$crate::method::Asked<Self>,
                found: &anytime::Found<$planner>,
                reasons: Option<&$crate::method::ReasonsOf<Self>>,
            ) -> Option<stratagem_proto::v1::Objective> {
                $objective(asked, found, reasons)
            })?

            $(fn levels(
                asked: &$crate::method::Asked<Self>,
                cost: &$crate::method::CostOf<Self>,
            ) -> Option<Vec<f64>> {
                $levels(asked, cost)
            })?

            $(fn bound_terms(
                cost: &$crate::method::CostOf<Self>,
            ) -> Vec<stratagem_proto::v1::ObjectiveTerm> {
                $bound_terms(*cost)
            })?

            $(fn continue_from(request: &mut Self::Request, found: Self::Answer) -> bool {
                $resume(request, found)
            })?
        }

        $($crate::searches::streamed!($method, $step);)?)*
    };
}
pub(crate) use searches;

/// Declares that a method with steps is streamed.
macro_rules! streamed {
    ($method:ident, $step:expr) => {
        impl $crate::method::Streamed for $crate::contract::$method {}
    };
}
pub(crate) use streamed;
