//! Agent hosts: parse their payloads, render Proctor's decisions, install and check hooks.
