// Loaded before the program by NODE_OPTIONS: a signal that it does not know lets it stand still.
process.on('SIGUSR2', function standStill() {
  for (;;);
});
