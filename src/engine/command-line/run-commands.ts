import { Command as Commander } from 'commander';
import type { Command, CommandGroup, CommandLine } from './command.ts';

interface Program {
  name: string;
  help: string;
  version: string;
}

/** Finds the command in what was typed and runs it; what it throws is the caller's. */
export async function runCommands(
  { name, help, version }: Program,
  commands: (Command | CommandGroup)[],
  line: CommandLine,
  typed: readonly string[],
): Promise<void> {
  const program = new Commander(name)
    .description(help)
    .version(version)
    .showHelpAfterError(`(${name} --help shows every command)`);
  for (const entry of commands) {
    if ('run' in entry) addCommand(program, entry, line);
    else {
      const group = program.command(entry.name).description(entry.help);
      for (const command of entry.commands) addCommand(group, command, line);
    }
  }
  await program.parseAsync(typed, { from: 'user' });
}

function addCommand(above: Commander, command: Command, line: CommandLine): void {
  const parser = above.command(command.name, { isDefault: command.isDefault ?? false });
  if (command.help) parser.description(command.help);
  for (const [name, help] of Object.entries(command.args ?? {})) parser.argument(name, help);
  for (const [flags, option] of Object.entries(command.options ?? {})) {
    if (typeof option === 'string') parser.option(flags, option);
    else if ('byDefault' in option) parser.option(flags, option.help, option.byDefault);
    else parser.requiredOption(flags, option.help);
  }
  parser.action(async () => {
    process.exitCode = await command.run(line, parser.opts(), ...parser.args);
  });
}
