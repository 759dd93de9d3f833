@0xd12a1c51fedd6c88;
# The two annotations of Go's generator that jobs.capnp uses, under the ids that it knows them by: so that no other
# language's build needs Go's files.
annotation package(file) :Text;
annotation import(file) :Text;
