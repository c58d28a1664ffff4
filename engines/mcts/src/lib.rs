//! MCTS
