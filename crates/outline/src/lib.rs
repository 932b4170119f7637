//! Reading delegations: what must come out, which files may change, and what answers say of it.
