import type { Tools } from '../../shared/tools.ts'

/** The form of sent texts: plain, or markup, whose elements are returned. */
export type SentAs = 'text' | 'markup'

/** BCP 47 tags of the shop's. */
export type LanguagePair = { readonly from: string; readonly to: string }

/** A machine translation engine. Its adapters are in this folder. */
export type MachineEngine = {
  readonly name: 'deepl' | 'google' | 'libretranslate'
  /** Limits of one call; `bytes` of its texts as JSON. */
  readonly limits: { readonly texts: number; readonly bytes: number; readonly characters?: number }
  /** Reads a server's own limits before the first call is planned. */
  prepare?(): Promise<void>
  /** How untranslatable parts are protected. */
  readonly keeps: {
    /** In a text without markup. */
    readonly plain: SentAs
    /** The element that it leaves unchanged. */
    readonly element: 'x' | 'span'
  }
  /** Translates texts in the given order. Server errors are returned, not thrown. */
  translate(texts: readonly string[], pair: LanguagePair, as: SentAs): Promise<MachineAnswer>
}

export type MachineAnswer =
  | { readonly ok: true; readonly texts: readonly string[] }
  | ({ readonly ok: false } & MachineTrouble)

export type MachineTrouble = {
  readonly kind: /** Too many calls: retry later. */
    | 'slow-down'
    /** The account's quota is used up. */
    | 'quota'
    /** The key is rejected. */
    | 'key'
    /** A language is not supported. */
    | 'language'
    /** These texts are refused. */
    | 'refused'
    /** It failed without an effect. */
    | 'failed'
    /** Unknown result: no response, or an unreadable one. */
    | 'lost'
  /** The shop's own wording: never a text, never the key. */
  readonly reason: string
  readonly retryAfterMs?: number
}

/** Dependencies of the adapters. `key` is never logged and never part of a URL. */
export type EngineTools = Pick<Tools, 'clock' | 'network'> & {
  /** Without a trailing slash; '' for the default. */
  readonly address: string
  readonly key: string
  /** Form of address, where engine and language distinguish it. */
  readonly formality?: 'usual' | 'more' | 'less'
}
