//! Reading what agents write: pure functions from text to structure, in English and Korean.
