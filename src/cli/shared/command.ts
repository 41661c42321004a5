import type { Database } from '#database/engine/connect.ts'
import type { MailDesk } from '#shop/mail/mail-desk.ts'
import type { ProviderAccount } from '#shop/operations/doctor/check-live.ts'
import type { ShopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import type { Tools } from '#shop/shared/tools.ts'
import type { SubCommand } from './command-group.ts'
import type { Syntax } from './command-syntax.ts'

/**
 * The tools of every use case, and a terminal. `paypal` is null without credentials in the environment: only the demo knows its
 * emulator.
 */
export type CommandContext = Tools &
  ShopConfiguration & {
    /** The shop's account at PayPal; null where the environment does not name it. */
    readonly providerAccount: ProviderAccount | null
    /** The API key of a shop that is migrated, as far as the environment names it. */
    readonly migrationKey: { readonly consumerKey: string; readonly consumerSecret: string }
    /** The folder of the shop's own files: database, images, outbox. */
    readonly dataDir: string
    /** The merchant's settings in code, `shop.config.ts`; it may be missing. */
    readonly configFile: string
    /** The folder of the program, and the path of Node. */
    readonly root: string
    readonly node: string
    /** The caller's user name on this machine, for the log of access to personal data. */
    readonly who: string
    /** Returns the secret that encrypts texts in the database: the environment's, or the stored one. */
    shopSecret(): Promise<string>
    /** Previews of emails. @throws when the shop was never built */
    mailDesk(): Promise<MailDesk>
    /** The peak memory of the process, in megabytes. */
    peakMegabytes(): number
    /** Prints one line on standard output, for programs and pipes. */
    print(line: string): void
    /** Prints one line on standard error, for people. */
    say(line: string): void
    /** Asks for yes or no; null without a terminal. */
    ask(question: string): Promise<boolean | null>
    /** Asks for a secret without showing it; null without a terminal or an answer. */
    askSecret(question: string): Promise<string | null>
    /** Overwrites the last line of progress on a terminal; elsewhere prints one line every few seconds. */
    progress(line: string): void
  }

/** The context of a command that must answer at once, whether the shop runs or not. */
export type AloneContext = Pick<CommandContext, 'print' | 'say' | 'root' | 'node'> & {
  /** Opens the database where it can be reached without starting it. */
  open(): Promise<Pick<Database, 'kysely'> | null>
}

/** The context of a command that fills the database itself; it was not even migrated. */
export type BareContext = Pick<
  CommandContext,
  'db' | 'clock' | 'chance' | 'paypal' | 'dataDir' | 'print' | 'say' | 'progress'
> & { readonly databaseUrl: string }

export type Command = {
  /** Allows the command to create the embedded database; any other command would report an empty one as sound. */
  readonly mayBegin?: true
  /** Lets the command run while stored settings are invalid, as the command that corrects them must. */
  readonly acceptsFaultySettings?: true
  /** The lines of its help, or of one of its own commands. @param args the words beside `help` or `--help` */
  help(args: readonly string[]): readonly string[]
  /** Checks words and options, which needs no database. @returns what is wrong with them */
  usageProblem(args: readonly string[]): string | null
  /** The commands of a command group. */
  readonly subs?: Readonly<Record<string, SubCommand>>
  /** The syntax of a command without commands of its own. */
  readonly syntax?: Syntax
  /** Completes a short form: `import products.csv` is `import products products.csv`. @param args beside the name */
  readonly expand?: (args: readonly string[]) => readonly string[]
  /** A command without commands of its own, for a group that contains it. */
  readonly single?: SubCommand
  /** Runs instead of `run` from a terminal, where the command needs no shop. */
  runAlone?(args: readonly string[], context: AloneContext): Promise<number>
  /** Runs instead of `run` from a terminal, where the command needs the database as it is. */
  runBare?(args: readonly string[], context: BareContext): Promise<number>
  /** @returns the exit code: 0 done, 1 refused, 2 wrong usage */
  run(args: readonly string[], context: CommandContext): Promise<number>
}
