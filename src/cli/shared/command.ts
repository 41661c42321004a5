import type { Database } from '#database/engine/connect.ts'
import type { MailDesk } from '#shop/mail/mail-desk.ts'
import type { ProviderAccount } from '#shop/operations/doctor/check-live.ts'
import type { ShopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import type { Tools } from '#shop/shared/tools.ts'
import type { Completion } from '../completion/completion-values.ts'
import type { SubCommand } from './command-group.ts'

/**
 * What a command gets from `main.ts`: the tools of every use case, and a terminal. `paypal` is null without credentials in
 * the environment: the demo's emulator is known to the demo alone.
 */
export type CommandContext = Tools &
  ShopConfiguration & {
    /** How the shop is known to PayPal; null where the environment does not say. */
    readonly providerAccount: ProviderAccount | null
    /** Folder of the shop's own files: database, pictures, outbox. */
    readonly dataDir: string
    /** What the merchant declares in code, `shop.config.ts`; it need not exist. */
    readonly configFile: string
    /** The folder of the program, and the program that runs it. */
    readonly root: string
    readonly node: string
    /** Who gives the command, by the name the machine knows: for the log of access to personal data. */
    readonly who: string
    /** The shop's messages, to look at. @throws when the shop was never built */
    mailDesk(): Promise<MailDesk>
    /** The most memory the process has had so far, in megabytes. */
    peakMegabytes(): number
    /** One line on standard output: what other programs read. */
    print(line: string): void
    /** One line on standard error: what people read. */
    say(line: string): void
    /** A person's yes or no; null where nobody sits at a terminal. */
    ask(question: string): Promise<boolean | null>
    /** Writes over the last line of progress on a terminal; elsewhere one line each few seconds. */
    progress(line: string): void
  }

/** What a command gets that must answer at once, whether the shop runs or not. */
export type AloneContext = Pick<CommandContext, 'print' | 'say' | 'root' | 'node'> & {
  /** The database where one can be reached without starting it. */
  open(): Promise<Pick<Database, 'kysely'> | null>
}

/** What a command gets that makes the database itself: nothing was done to it, not even migrated. */
export type BareContext = Pick<
  CommandContext,
  'db' | 'clock' | 'chance' | 'paypal' | 'dataDir' | 'print' | 'say' | 'progress'
> & { readonly databaseUrl: string }

export type Command = {
  /** Whether it may make the embedded database where there is none; any other would say of an empty one that all is well. */
  readonly mayBegin?: true
  /** Whether it also runs while stored settings are invalid, as the command that corrects them must. */
  readonly acceptsFaultySettings?: true
  /** `import products.csv [--dry-run]` */
  readonly usage: string
  readonly summary: string
  /** More than usage and summary can say, for `--help` with the words before it. */
  help?(args: readonly string[]): readonly string[]
  /** Of a command with commands of its own, by name: what a shell can complete. */
  readonly subs?: Readonly<Record<string, SubCommand>>
  /** What its words are, the first first: what a shell can complete where there are no `subs`. */
  readonly completes?: readonly Completion[]
  /** Run in its place from a terminal, where the command needs no shop. */
  runAlone?(args: readonly string[], context: AloneContext): Promise<number>
  /** Run in its place from a terminal, where the command needs the database as it is. */
  runBare?(args: readonly string[], context: BareContext): Promise<number>
  /** @returns the exit code: 0 done, 1 refused, 2 called wrongly */
  run(args: readonly string[], context: CommandContext): Promise<number>
}
