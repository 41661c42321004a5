import type { ShopSettings } from '#contract/shared/settings.ts'
import type { QueuedOriginal } from '#database/translation/queue.ts'
import { type Dress, type ProtectedText, protect } from '#domain/translation/placeholders.ts'
import { pairFor, termsIn } from './engine-settings.ts'
import type { LanguagePair, MachineEngine, SentAs } from './translation-engine.ts'

/** Prefix of response faults in the queue; faults without it are the engine's. */
const ofText = 'text: '
export const textFault = (fault: string) => `${ofText}${fault}`
export const isTextFault = (fault: string) => fault.startsWith(ofText)
/** The engine failed on every attempt with this text. */
export const engineFault = 'no answer'
/** The engine does not accept this text. */
export const refusedFault = 'refused'

/** After this many failures a text is sent alone: it may cause the engine's failure. */
const triesInBatch = 3

/** Each waiting text restores its own protected parts from the response. */
export type Waiting = { readonly original: QueuedOriginal; readonly text: ProtectedText }

/** A text of a call, and all originals that share it: `{a} left` and `{b} left` are both sent as `⟦1⟧ left`. */
export type Sent = { readonly sent: string; readonly of: readonly Waiting[] }

export type Batch = {
  readonly pair: LanguagePair
  readonly as: SentAs
  readonly texts: readonly Sent[]
  readonly characters: number
}

export type Planned = {
  /** Texts without words need no engine. */
  readonly unspoken: readonly { readonly original: QueuedOriginal; readonly translated: string }[]
  /** Texts that exceed the limit of any call. */
  readonly tooLong: readonly QueuedOriginal[]
  /** The next call; null without sendable texts, or if none fits into the day's limit. */
  readonly batch: Batch | null
  /** True if texts were left out because they exceed the day's limit. */
  readonly beyondDay: boolean
}

/**
 * Plans one call from waiting texts: one language pair, all sent as text or all as markup.
 * @param left characters that may still be sent today
 */
export function planCall(
  due: readonly QueuedOriginal[],
  engine: Pick<MachineEngine, 'limits' | 'keeps'>,
  settings: ShopSettings,
  left: number,
): Planned {
  const unspoken: { original: QueuedOriginal; translated: string }[] = []
  const tooLong: QueuedOriginal[] = []
  const texts = new Map<string, Sent & { of: Waiting[] }>()
  let kind: { language: string; area: string; as: SentAs; alone: boolean } | null = null
  let characters = 0
  let bytes = 2
  let beyondDay = false
  const { characters: mostCharacters = Number.POSITIVE_INFINITY } = engine.limits
  for (const original of due) {
    const { text, as } = sentText(original, engine, settings)
    if (!text.speaks) {
      unspoken.push({ original, translated: text.unspoken })
      continue
    }
    const size = { characters: lengthOf(text.sent), bytes: Buffer.byteLength(JSON.stringify(text.sent)) + 1 }
    if (size.bytes + 2 > engine.limits.bytes || size.characters > mostCharacters) {
      tooLong.push(original)
      continue
    }
    const alone = goesAlone(original)
    const { language, area } = original
    if (kind && (kind.alone || alone || kind.language !== language || kind.area !== area || kind.as !== as)) continue
    const same = texts.get(text.sent)
    if (same) {
      same.of.push({ original, text })
      continue
    }
    if (characters + size.characters > left) {
      beyondDay = true
      continue
    }
    if (texts.size >= engine.limits.texts || bytes + size.bytes > engine.limits.bytes) continue
    if (characters + size.characters > mostCharacters) continue
    kind ??= { language, area, as, alone }
    texts.set(text.sent, { sent: text.sent, of: [{ original, text }] })
    characters += size.characters
    bytes += size.bytes
  }
  const [first] = [...texts.values()].flatMap(({ of }) => of)
  const batch =
    kind && first
      ? {
          pair: pairFor(settings, first.original.area, first.original.language),
          as: kind.as,
          texts: [...texts.values()],
          characters,
        }
      : null
  return { unspoken, tooLong, batch, beyondDay }
}

/** Counts code points, as engines do. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** How an original is sent; otherwise the second time, when the first answer could not be used. */
export function sentText(
  { original, markup, language, fault }: Pick<QueuedOriginal, 'original' | 'markup' | 'language' | 'fault'>,
  { keeps }: Pick<MachineEngine, 'keeps'>,
  settings: ShopSettings,
): { text: ProtectedText; as: SentAs } {
  const terms = termsIn(settings, language)
  const again = isTextFault(fault)
  const make = (dress: Dress) =>
    protect({ text: original, markup }, { dress, terms, element: keeps.element, everyNumber: again })
  const asSigns = make('signs')
  const usual: Dress = markup || (keeps.plain === 'markup' && asSigns.keeps) ? 'elements' : 'signs'
  const dress = again ? other[usual] : usual
  return dress === 'signs' ? { text: asSigns, as: 'text' } : { text: make('elements'), as: 'markup' }
}

const other: Readonly<Record<Dress, Dress>> = { elements: 'signs', signs: 'elements' }

function goesAlone({ fault, attempts }: QueuedOriginal): boolean {
  return fault === refusedFault || (fault === engineFault && attempts >= triesInBatch)
}
