import type { Tools } from '../../shared/tools.ts'

/** How texts are sent: as they are, or as markup, whose elements come back. */
export type SentAs = 'text' | 'markup'

/** BCP 47 tags of the shop's. */
export type LanguagePair = { readonly from: string; readonly to: string }

/** Something that translates. Adapters for each sort stand beside this file. */
export type MachineEngine = {
  readonly name: 'deepl' | 'google' | 'libretranslate'
  /** What one call may hold at most; `bytes` of its texts as JSON. */
  readonly limits: { readonly texts: number; readonly bytes: number; readonly characters?: number }
  /** Finds out what limits a server has of its own, before the first call is put together. */
  prepare?(): Promise<void>
  /** How what is not to be translated is shown to it. */
  readonly keeps: {
    /** In a text without markup. */
    readonly plain: SentAs
    /** The element that it leaves alone. */
    readonly element: 'x' | 'span'
  }
  /** Texts in the order given. Never throws for what a server does. */
  translate(texts: readonly string[], pair: LanguagePair, as: SentAs): Promise<MachineAnswer>
}

export type MachineAnswer =
  | { readonly ok: true; readonly texts: readonly string[] }
  | ({ readonly ok: false } & MachineTrouble)

export type MachineTrouble = {
  readonly kind: /** Too many calls: later. */
    | 'slow-down'
    /** The account has nothing left. */
    | 'quota'
    /** It does not know us. */
    | 'key'
    /** It does not speak one of the languages. */
    | 'language'
    /** It does not take these texts. */
    | 'refused'
    /** It failed, and did nothing. */
    | 'failed'
    /** Nobody knows what it did: no answer came, or none that can be read. */
    | 'lost'
  /** In words of our own: never a text, never the key. */
  readonly reason: string
  readonly retryAfterMs?: number
}

/** What adapters get from the shop. `key` is never logged and never part of an address. */
export type EngineTools = Pick<Tools, 'clock' | 'network'> & {
  /** Without a slash at the end; '' for the usual one. */
  readonly address: string
  readonly key: string
  /** How customers are addressed, where the engine and the language know a difference. */
  readonly formality?: 'usual' | 'more' | 'less'
}
