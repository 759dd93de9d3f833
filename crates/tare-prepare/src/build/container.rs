//! Contenders in containers: their images, found or built.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use tare_host::containers::image::{self, BuiltImage, ImageRecipe};
use tare_host::containers::{Engine, NoEngine};
use tare_host::fingerprint;
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Container, Contender, Dockerfile, Image, Limits};
use tare_model::placement::Placement;
use tare_model::record::EntrantRecord;
use tare_model::subject::Contained;
use tare_rig::{ContainerRun, Runnable};

use super::{BUILD_WITHIN, Builder, core_values, program};
use crate::choose::ChosenCase;
use crate::progress::Event;

impl Builder<'_, '_> {
    /// What the rig needs to start a contender in a container. The entrant gets what identifies it: the engine, the image,
    /// and the images that that was made from.
    pub(super) fn contained(
        &mut self,
        (contender, container): (&Contender, &Container),
        chosen: &ChosenCase,
        placement: &Placement,
        entrant: &mut EntrantRecord,
    ) -> Result<Runnable, Fault> {
        let served = chosen.services.iter().any(|service| !service.run.is_empty());
        let reaches = self.links.of_case(chosen).filter(|_| served);
        let reaches = reaches.cloned().transpose()?;
        let engine = self.tools.engine().map_err(no_engine)?;
        engine.set_up()?;
        let (built, name) = self.image(contender, container, &engine)?;
        let (files, seen) = files_of(contender, container)?;
        let made_of = format!("{}{seen}", built.hash);
        entrant
            .subject
            .set_built(program(&made_of, contender, &chosen.case.name));
        entrant.subject.set_container(Contained {
            engine: engine.describe(),
            image: built.id.clone(),
            bases: built.bases,
            substitutes: built.substitutes,
        });
        let values = core_values(&placement.contender).into_iter().collect();
        Ok(Runnable {
            container: Some(ContainerRun {
                engine,
                image: built.id,
                name,
                port: container.port,
                command: container.command.clone(),
                limits: container.limits.clone(),
                hosts: container.hosts.clone(),
                files,
                reaches,
            }),
            ..self.runnable(contender, chosen, values)?
        })
    }

    /// The image of a contender, and what messages call it.
    fn image(
        &self,
        contender: &Contender,
        container: &Container,
        engine: &Engine,
    ) -> Result<(BuiltImage, String), Fault> {
        let (keeper, state, cancel) = (self.keeper, self.state, self.cancel);
        self.progress.event(&Event::Building { contender });
        let began = Instant::now();
        let (built, name) = match &container.image {
            Image::Built(recipe) => {
                let name = format!("the image of {}/{}", contender.workload, contender.id);
                let recipe = recipe_of(contender, recipe);
                (image::build(keeper, state, engine, &recipe, cancel)?, name)
            }
            Image::Named(name) => (image::named(keeper, state, engine, name, cancel)?, name.clone()),
        };
        if !built.cached {
            let took = began.elapsed();
            self.progress.event(&Event::Built { contender, took });
        }
        Ok((built, name))
    }

    /// Whether the image of a contender is here.
    pub(super) fn is_image_built(&mut self, contender: &Contender, container: &Container) -> bool {
        let Some(engine) = self.tools.engine().ok().filter(|engine| engine.set_up().is_ok()) else {
            return false;
        };
        match &container.image {
            Image::Named(_) => true,
            // What is wrong with a recipe is reported where it is built.
            Image::Built(recipe) => {
                image::is_built(self.state, &engine, &recipe_of(contender, recipe)).unwrap_or(false)
            }
        }
    }
}

/// What an image is built from, of the contender's folder.
fn recipe_of(contender: &Contender, recipe: &Dockerfile) -> ImageRecipe {
    ImageRecipe {
        workload: contender.workload.clone(),
        contender: contender.id.name.clone(),
        folder: contender.folder.clone(),
        dockerfile: recipe.path.clone(),
        context: recipe.context.clone(),
        build_args: recipe.build_args.clone(),
        timeout: BUILD_WITHIN,
    }
}

/// The files that a container finds besides those of its image, and a hash of them; empty where there are none.
fn files_of(
    contender: &Contender,
    container: &Container,
) -> Result<(BTreeMap<String, PathBuf>, String), Fault> {
    let (mut files, mut hashes) = (BTreeMap::new(), String::new());
    for (there, path) in &container.files {
        let here = contender.folder.join(path);
        if !here.exists() {
            let text = format!(
                "`{path}`, which its container is to find as {there}, is missing in {}",
                contender.folder.display()
            );
            return Err(Fault::new(FaultKind::BuildFailed, text));
        }
        hashes.push_str(&fingerprint::of_contents(&here)?);
        files.insert(there.clone(), here);
    }
    Ok((files, hashes))
}

/// How a container is run, apart from its image.
pub(super) fn how_run(container: &Container) -> Vec<String> {
    let Limits {
        memory,
        open_files,
        processes,
    } = &container.limits;
    let mut words = container.command.clone();
    words.push(format!(
        "{} {memory:?} {open_files:?} {processes:?}",
        container.port
    ));
    let hosts = container.hosts.iter();
    words.extend(hosts.map(|(name, address)| format!("{name} {address}")));
    words.extend(container.files.keys().cloned());
    words
}

fn no_engine(reason: NoEngine) -> Fault {
    match reason {
        NoEngine::Missing(missing) => tare_host::tools::Missing::fault(&[missing]),
        NoEngine::Impossible(text) => Fault::new(FaultKind::MissingTool, text),
    }
}
