import type { Command } from '#cli/command.ts'
import { readConfiguration } from '#database/configuration.ts'
import type { Database } from '#database/connect.ts'
import { systemEnvironment, systemLog } from '#server/environment.ts'
import { shopConfiguration } from '#shop/shop-configuration.ts'

/** Runs a command as `npm run shop` does, in this process: what it printed, what it said, how it ended. */
export async function runCommand(command: Command, db: Database, ...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await command.run(args, {
    ...systemEnvironment(systemLog('silent')),
    ...shopConfiguration(await readConfiguration(db)),
    db,
    dataDir: 'data',
    peakMegabytes: () => 0,
    print: (line) => out.push(line),
    say: (line) => err.push(line),
    paypal: null,
    progress: () => {},
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}
