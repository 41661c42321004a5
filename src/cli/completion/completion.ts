import type { CommandEntry } from '../commands.ts'
import type { AloneContext, Command } from '../shared/command.ts'
import type { Syntax } from '../shared/command-syntax.ts'
import { rejectUsage, unknownChoice } from '../shared/messages.ts'
import { completionAt } from './completion-context.ts'
import { completionScripts } from './completion-scripts.ts'
import { completionValues } from './completion-values.ts'

const shells = Object.keys(completionScripts)

/** @param commands all commands, this one included */
export function completionCommand(commands: () => Readonly<Record<string, CommandEntry>>): Command {
  const runAlone = async (args: readonly string[], context: AloneContext): Promise<number> => {
    const [shell = '', ...words] = args
    // The scripts call this at each press of the Tab key.
    if (shell === 'words') {
      const { kind, before, start } = await completionAt(commands(), words)
      for (const value of await completionValues(kind, start, context.open)) context.print(before + value)
      return 0
    }
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined
    if (!script || words.length > 0) {
      const typed = script ? (words[0] ?? '') : shell
      const names = shells.map((name) => `completion ${name}`).join(', ')
      return rejectUsage(context, typed === '' ? `name the shell: ${names}.` : unknownChoice('shell', typed, shells))
    }
    context.print(script(context))
    return 0
  }
  const syntax: Syntax = {
    usage: shells.join('|'),
    summary: 'Prints a script that defines the shell command "shop" and completes it with the Tab key.',
    example: 'bash',
    options: {},
    words: [1, 1],
    completes: [shells],
  }
  return {
    syntax,
    help: () => [
      `Usage: npm run shop -- completion ${syntax.usage}`,
      'Prints a script that defines the shell command "shop" and completes it with the Tab key: commands, options,',
      'order numbers, SKUs and coupon codes. Load it in the start-up file of your shell:',
      '  bash  source <(npm run --silent shop -- completion bash)',
      '  zsh   source <(npm run --silent shop -- completion zsh)',
      '  fish  npm run --silent shop -- completion fish | source',
    ],
    // It opens no database to check its words, and those that it completes are unfinished.
    usageProblem: () => null,
    runAlone,
    run: (args, context) =>
      runAlone(args, { ...context, root: context.root, node: context.node, open: async () => context.db }),
  }
}
