//! What the whole-system tests share: starting `posthouse`, speaking to it in lines, and proving that
//! nothing is left.
