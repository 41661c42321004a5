import { commands, loadCommand } from './commands.ts'
import { fileTrouble } from './shared/file-error.ts'
import { commandList } from './shared/help-text.ts'
import { didYouMean, fail, rejectUsage } from './shared/messages.ts'

const say = (line: string) => process.stderr.write(`${line}\n`)

const helpWords: ReadonlySet<string> = new Set(['help', '--help', '-h'])

/** Runs one command of the command line. The code of other commands is not loaded. @returns the exit code */
async function dispatch(args: readonly string[]): Promise<number> {
  const asksHelp = args.length === 0 || helpWords.has(args[0] ?? '') || args.includes('--help') || args.includes('-h')
  const [name, ...rest] = asksHelp ? args.filter((arg) => !helpWords.has(arg)) : args
  if (name === undefined) return printHelp(commandList(commands))
  const command = await loadCommand(name)
  if (!command) {
    const misplaced = name.startsWith('-') ? rest.find((word) => Object.hasOwn(commands, word)) : undefined
    const hint = misplaced ? `\nDid you mean "${misplaced} ${name}"?` : didYouMean(name, Object.keys(commands))
    return rejectUsage({ say }, `unknown command "${name}". Commands are listed by: npm run shop -- help${hint}`)
  }
  if (asksHelp) return printHelp(command.help(rest))
  const problem = command.usageProblem(rest)
  if (problem !== null) return rejectUsage({ say }, problem)
  try {
    const { executeCommand } = await import('./execute-command.ts')
    return await executeCommand(command, rest)
  } catch (error) {
    // A stack is for developers: DEBUG=1 prints it.
    if (process.env.DEBUG && error instanceof Error) return fail({ say }, error.stack ?? error.message)
    return fail({ say }, fileTrouble(error) ?? (error instanceof Error ? error.message : String(error)))
  }
}

function printHelp(lines: readonly string[]): 0 {
  for (const line of lines) say(line)
  return 0
}

// A reader such as `head` may close the pipe early. The command ends as usual; the rest of its output is dropped.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
  })

process.exitCode = await dispatch(process.argv.slice(2))
for (const stream of [process.stdout, process.stderr])
  await new Promise<void>((resolve) => stream.write('', () => resolve()))
// A server that refuses connections can leave the driver with a connection it no longer tracks, which would keep the process alive.
process.exit()
