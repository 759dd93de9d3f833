@0xc5f1af96651f70ea;
# The two annotations of Java's generator that jobs.capnp uses, under the ids that it knows them by: so that no other
# language's build needs Java's files.
annotation package @0x9ee4c8f803b3b596 (file) :Text;
annotation outerClassname @0x9b066bb4881f7cd3 (file) :Text;
