use super::judge;
