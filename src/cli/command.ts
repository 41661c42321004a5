import type { Environment } from '#contract/environment.ts'
import type { Database } from '#database/connect.ts'
import type { PayPal } from '#paypal/client.ts'
import type { ShopConfiguration } from '#shop/shop-configuration.ts'

/** What a command gets from `main.ts`. */
export type CommandContext = Environment &
  ShopConfiguration & {
    readonly db: Database
    /** Null without credentials in the environment: the embedded emulator's books end with it. */
    readonly paypal: PayPal | null
    /** Folder of the shop's own files: database, pictures, outbox. */
    readonly dataDir: string
    /** The most memory the process has had so far, in megabytes. */
    peakMegabytes(): number
    /** One line on standard output: what other programs read. */
    print(line: string): void
    /** One line on standard error: what people read. */
    say(line: string): void
    /** Writes over the last line of progress on a terminal; elsewhere one line each few seconds. */
    progress(line: string): void
  }

export type Command = {
  /** `import products.csv [--dry-run]` */
  readonly usage: string
  readonly summary: string
  /** @returns the exit code: 0 done, 1 refused, 2 called wrongly */
  run(args: readonly string[], context: CommandContext): Promise<number>
}
