//! One look at a work tree, which all questions of an event share.

use super::look::Wants;
use super::others::{Around, AskGit, Lister};
use super::pipes::waits;
use super::read::Read;
use super::scan::Root;
use super::share::Comparison;
use super::{Place, Trees};
use crate::name;
use proctor_kernel::Result;
use std::sync::{Arc, OnceLock, PoisonError};
use std::time::Instant;

/// A work tree at one moment, as far as it was looked at.
#[derive(Debug)]
pub(crate) struct Glance {
    pub(crate) root: Arc<Root>,
    pub(crate) read: Read,
    here: OnceLock<Option<Here>>,
}

/// What was seen without git.
#[derive(Debug)]
pub(crate) struct Here {
    /// What differs from the index.
    pub(crate) wants: Wants,
    /// The untracked files.
    pub(crate) others: Vec<Vec<u8>>,
}

impl Trees<'_> {
    /// The index as it is now, or as it was at the moment that is asked about.
    pub(crate) fn glance(&self, place: &Place, deadline: Instant) -> Result<Arc<Glance>> {
        let kept = self.once.as_ref().map(|once| once.lock());
        let mut kept = kept.map(|kept| kept.unwrap_or_else(PoisonError::into_inner));
        if let Some(glance) = kept.as_ref().and_then(|kept| kept.as_ref()) {
            return Ok(Arc::clone(glance));
        }
        let glance = Arc::new(Glance {
            root: Arc::new(Root::open(self.repo.work_tree()?)?),
            read: self.read_index(place, deadline)?,
            here: OnceLock::new(),
        });
        if let Some(kept) = &mut kept {
            **kept = Some(Arc::clone(&glance));
        }
        Ok(glance)
    }

    /// Looks anew the next time.
    pub(crate) fn look_again(&self) {
        if let Some(once) = &self.once {
            *once.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// What differs from the index and the untracked files, without git; nothing when git is to be asked.
    pub(crate) fn seen_here<'g>(
        &self,
        place: &Place,
        glance: &'g Glance,
        deadline: Instant,
    ) -> Result<Option<&'g Here>> {
        if let Some(here) = glance.here.get() {
            return Ok(here.as_ref());
        }
        let here = self.look_here(place, &glance.root, &glance.read, deadline)?;
        Ok(glance.here.get_or_init(|| here).as_ref())
    }

    /// The same, but for what is in other repositories that the index does not have; and where those are. Costs a look
    /// of its own.
    pub(crate) fn seen_around(
        &self,
        place: &Place,
        glance: &Glance,
        deadline: Instant,
    ) -> Result<Option<(Here, Vec<Vec<u8>>)>> {
        let Glance { root, read, .. } = glance;
        if self.repo.caller.is_none() {
            return Ok(None);
        }
        let settings = self.allowed(place, deadline);
        let lister = Lister::new(self.repo, settings, root.fd(), &read.index, deadline);
        let Ok(Around { others, inner }) = lister.and_then(|lister| lister.list_around()) else {
            return Ok(None);
        };
        let wants = self.tracked(root, read, Comparison::begin(root, &read.index, read.at))?;
        Ok(Some((Here { wants, others }, inner)))
    }

    fn look_here(
        &self,
        place: &Place,
        root: &Arc<Root>,
        read: &Read,
        deadline: Instant,
    ) -> Result<Option<Here>> {
        if self.repo.caller.is_none() {
            return Ok(None);
        }
        let settings = self.allowed(place, deadline);
        let Ok(lister) = Lister::new(self.repo, settings, root.fd(), &read.index, deadline) else {
            // Git would read what is not read here.
            return self
                .refuse_pipes(place, deadline, std::iter::empty())
                .map(|()| None);
        };
        let comparison = Comparison::begin(root, &read.index, read.at);
        match lister.list() {
            Ok(others) => Ok(Some(Here {
                wants: self.tracked(root, read, comparison)?,
                others,
            })),
            Err(AskGit) => match lister.pipe() {
                Some(path) => Err(waits(&name::to_text(path))),
                None => Ok(None),
            },
        }
    }
}
