import { hint } from '#contract/shared/suggest-word.ts'
import { commands, loadCommand } from './commands.ts'
import { fileTrouble } from './shared/file-error.ts'
import { tableLines } from './shared/table.ts'

const say = (line: string) => process.stderr.write(`${line}\n`)

/** Runs one command of the command line. The code of other commands is not loaded. @returns the exit code */
async function dispatch([name = '', ...args]: string[]): Promise<number> {
  const command = await loadCommand(name)
  if (!command) {
    const asked = name === '' || name === 'help' || name === '--help'
    if (!asked) say(`There is no command "${name}".${hint(name, Object.keys(commands))}`)
    say('npm run shop -- <command>')
    for (const line of tableLines(Object.entries(commands).map(([each, { summary }]) => [`  ${each}`, summary])))
      say(line)
    return asked ? 0 : 2
  }
  if (args.includes('--help')) {
    const lines = command.help?.(args.filter((arg) => arg !== '--help'))
    say(lines ? lines.join('\n') : `npm run shop -- ${command.usage}\n${command.summary}`)
    return 0
  }
  try {
    const { executeCommand } = await import('./execute-command.ts')
    return await executeCommand(command, args)
  } catch (error) {
    // A stack is for developers: DEBUG=1 prints it.
    say(
      process.env.DEBUG && error instanceof Error
        ? (error.stack ?? error.message)
        : (fileTrouble(error) ?? String(error instanceof Error ? error.message : error)),
    )
    return 1
  }
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
