import type { CommandEntry } from '../commands.ts'
import type { AloneContext, Command } from '../shared/command.ts'
import { completionContext } from './completion-context.ts'
import { completionScripts } from './completion-scripts.ts'
import { completionValues } from './completion-values.ts'

const shells = Object.keys(completionScripts)

/** @param commands all there are, this one among them */
export function completionCommand(commands: () => Readonly<Record<string, CommandEntry>>): Command {
  const runAlone = async (args: readonly string[], context: AloneContext): Promise<number> => {
    const [shell = '', ...words] = args
    // What the scripts call at each press of the key.
    if (shell === 'words') {
      const { kind, before, start } = await completionContext(commands(), words)
      for (const value of await completionValues(kind, start, context.open)) context.print(before + value)
      return 0
    }
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined
    if (!script || words.length > 0) {
      context.say(`Say for which shell: ${shells.map((name) => `completion ${name}`).join(', ')}.`)
      return 2
    }
    context.print(script(context))
    return 0
  }
  return {
    usage: `completion ${shells.join('|')}`,
    summary: 'Prints a script that makes the word "shop" a command, and its words complete by the Tab key.',
    completes: [shells],
    help: () => [
      `npm run shop -- completion ${shells.join('|')}`,
      'Prints a script that makes the word "shop" a command, and its words complete by the Tab key: commands, options,',
      'numbers of orders, SKUs, codes of coupons. Load it where your shell starts:',
      '  bash  source <(npm run --silent shop -- completion bash)',
      '  zsh   source <(npm run --silent shop -- completion zsh)',
      '  fish  npm run --silent shop -- completion fish | source',
    ],
    runAlone,
    run: (args, context) =>
      runAlone(args, { ...context, root: context.root, node: context.node, open: async () => context.db }),
  }
}
