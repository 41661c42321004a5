import {
  addressAttributes,
  type TranslationEntry,
  type TranslatorSettings,
  translateLimits,
} from '#contract/translate.ts'
import { type AskLog, askTranslations, patienceMs, type Send } from './ask-translations.ts'
import { type FoundText, shownIn, write } from './found-text.ts'
import { islandSelector, skipRules } from './skip-rules.ts'

/**
 * Translates what is put into a page after it was served. It changes texts and attributes and never the structure, so that what
 * others keep references to stays theirs; a text that changes while its translation is on the way is left as it has become.
 */

/** Marks what an editor shall find. @returns whether the page was changed */
export type Mark = (found: FoundText, entry: TranslationEntry) => void

export type TranslatorParts = {
  readonly settings: TranslatorSettings
  readonly send: Send
  readonly now: () => number
  readonly later: (work: () => void, ms: number) => void
  readonly log: AskLog
  /** Entities as the characters that they stand for. */
  readonly decode: (text: string) => string
  /** Whether the shop has shown the page this text, which is translated then as well as it can be. */
  readonly isOwn: (text: string) => boolean
  /** The page is in the editor. */
  readonly mark?: Mark
  /** Everything that was known has been shown. */
  readonly shown?: () => void
}

export type DomTranslator = {
  /** Takes note of what has changed. */
  take(records: readonly MutationRecord[]): void
}

/** Longer work would hold up who presses something meanwhile. */
const sliceMs = 8
const betweenRequestsMs = 50
/** After so many failures in a row the page is left in peace for a while. */
const failuresInARow = 3
const peaceMs = 30_000

type Answer = { readonly translated: string; readonly entry?: TranslationEntry }
/** Where a text stands: what we wrote there last, what is looked up for it, and whether the page has told us that it is blank. */
type Place = { written?: string; found?: FoundText; told: boolean }
type Attribute = { readonly selector: string; readonly name: string }

/** @returns null where there is nothing to do: the page is in the shop's own language, or there is no other */
export function createDomTranslator(parts: TranslatorParts): DomTranslator | null {
  const { settings, now, later, mark } = parts
  const language = settings.trp_language_to_query
  const translates = language === settings.trp_current_language
  if (language === '' || (settings.trp_current_language === settings.trp_original_language && !mark)) return null

  const rules = skipRules(settings)
  const attributes: Attribute[] = Object.values(settings.trp_attributes_selectors).flatMap(
    ({ selector, accessor, attribute }) => (attribute && selector ? [{ selector, name: accessor }] : []),
  )
  const anyAttribute = attributes.map(({ selector }) => selector).join() || ':not(*)'
  const blanksAll = settings.showdynamiccontentbeforetranslation !== '1'

  /** Answers for as long as the page lives; a text without a translation is known by an empty one. */
  const known = new Map<string, Answer>()
  /** Texts that are asked for, or will be, with the places where they stand. */
  const waiting = new Map<string, FoundText[]>()
  const toAsk: string[] = []
  let ready: [FoundText, Answer][] = []
  let records: MutationRecord[] = []
  const places = new WeakMap<Node, Map<string, Place>>()
  let working = false
  let askPlanned = false
  let lastAsked = Number.NEGATIVE_INFINITY
  let failures = 0
  let peaceUntil = 0

  function placeOf(node: Node, name: string): Place {
    const names = places.get(node) ?? new Map<string, Place>()
    places.set(node, names)
    const place = names.get(name) ?? { told: false }
    names.set(name, place)
    return place
  }

  function put(found: FoundText, value: string): void {
    placeOf(found.node, found.name).written = value
    write(found, value)
  }

  function consider(node: Text | Element, name: string, { bare = false, noMachine = false } = {}): void {
    const seen = shownIn({ node, name }) ?? ''
    const text = seen.trim()
    if (text === '' || text.length > translateLimits.characters) return
    if (name !== '' && /^(?:#|data:|blob:|javascript:)/.test(text)) return
    const place = placeOf(node, name)
    // Ours, or seen already: two changes may tell of one text.
    if (place.written === seen || (place.found?.seen === seen && !place.found.blank)) return
    if (rules.isNoText(text) || rules.isTooOften(text) || rules.isListed(text, name)) return
    const element = node instanceof Element ? node : node.parentElement
    const found: FoundText = {
      node,
      name,
      text,
      seen,
      noMachine: noMachine || element?.closest(rules.noMachine) !== null,
      blank: false,
    }
    const answer = known.get(text)
    if (answer) {
      place.found = found
      ready.push([found, answer])
      return
    }
    const others = waiting.get(text)
    if (!others) {
      if (parts.isOwn(text) || now() < peaceUntil) return
      toAsk.push(text)
    }
    place.found = found
    if (others) others.push(found)
    else waiting.set(text, [found])
    if (translates && name === '' && (bare || blanksAll)) {
      found.blank = true
      place.told = false
      put(found, '')
    }
  }

  function considerAttribute(element: Element, { selector, name }: Attribute): void {
    if (!element.matches(selector)) return
    if (settings.trp_base_selectors.some((base) => element.hasAttribute(`${base}-${name}`))) return
    consider(element, name, { noMachine: addressAttributes.has(name) })
  }

  function* look(added: Node): Generator<void> {
    if (!added.isConnected) return
    if (added instanceof Text) {
      const parent = added.parentElement
      if (parent && !rules.isInside(parent)) consider(added, '', { bare: true })
      return
    }
    if (!(added instanceof Element)) return
    if (rules.isInside(added)) {
      for (const island of added.querySelectorAll(islandSelector)) yield* look(island)
      return
    }
    const islands: Element[] = []
    const walker = document.createTreeWalker(added, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      if (node instanceof Text || (node instanceof Element && !node.matches(rules.selector)))
        return NodeFilter.FILTER_ACCEPT
      if (node instanceof Element) islands.push(...node.querySelectorAll(islandSelector))
      return NodeFilter.FILTER_REJECT
    })
    // The walker does not ask whether its own root is accepted.
    for (let node: Node | null = added; node; node = walker.nextNode()) {
      // Taken out while we waited: from there no way leads on.
      if (!added.contains(node)) return yield* look(added)
      if (node instanceof Text) consider(node, '')
      else if (node instanceof Element && node.matches(anyAttribute)) {
        for (const attribute of attributes) considerAttribute(node, attribute)
      }
      yield
    }
    for (const island of islands) yield* look(island)
  }

  function* scan({ type, target, addedNodes, attributeName }: MutationRecord): Generator<void> {
    if (type === 'childList') {
      for (const node of addedNodes) yield* look(node)
    } else if (target instanceof Text) {
      const place = placeOf(target, '')
      if (target.data === '' && place.found?.blank) {
        // The first time it was us. The second time somebody wants it empty.
        if (place.told) delete place.found
        place.told = true
        return
      }
      const parent = target.parentElement
      if (parent && target.isConnected && !rules.isInside(parent)) consider(target, '')
    } else if (target instanceof Element && target.isConnected && !rules.isInside(target)) {
      for (const attribute of attributes) if (attribute.name === attributeName) considerAttribute(target, attribute)
    }
  }

  /** Whether a text is as we found it, or have left it: what somebody has changed meanwhile is theirs. */
  function isOurs(found: FoundText): boolean {
    const place = placeOf(found.node, found.name)
    return place.found === found && shownIn(found) === (found.blank ? '' : found.seen)
  }

  function settle(found: FoundText, { translated, entry }: Answer): void {
    rules.count(found.text)
    if (!isOurs(found)) return
    delete placeOf(found.node, found.name).found
    const said = translates && translated !== ''
    if (said || found.blank) put(found, said ? found.seen.replace(found.text, () => translated) : found.seen)
    if (entry) mark?.(found, entry)
  }

  /** Gives a blank text back. */
  function restore(found: FoundText): void {
    if (!found.blank || !isOurs(found)) return
    put(found, found.seen)
    found.blank = false
  }

  function* work(): Generator<void> {
    while (records.length > 0) {
      const batch = records
      records = []
      for (const record of batch) {
        yield* scan(record)
        yield
      }
    }
    // Counted once all of them are found, so that many of the same that come together are handled together.
    const batch = ready
    ready = []
    for (const [found, answer] of batch) {
      settle(found, answer)
      yield
    }
  }

  let job = work()
  function run(): void {
    const until = now() + sliceMs
    working = true
    while (now() < until) {
      if (!job.next().done) continue
      job = work()
      if (records.length > 0 || ready.length > 0) continue
      working = false
      planToAsk()
      parts.shown?.()
      return
    }
    later(run, 0)
  }

  function planToAsk(): void {
    if (askPlanned || toAsk.length === 0) return
    askPlanned = true
    later(
      () => {
        askPlanned = false
        lastAsked = now()
        void ask(nextBatch())
        planToAsk()
      },
      Math.max(0, lastAsked + betweenRequestsMs - now()),
    )
  }

  /** As many as one request may hold, in the form that they are sent in. */
  function nextBatch(): string[] {
    let bytes = 4096
    const fits = toAsk.findIndex((text, at) => {
      bytes += 2 * (encodeURIComponent(JSON.stringify(text)).length + 3)
      return at === translateLimits.texts || (at > 0 && bytes > translateLimits.bytes)
    })
    return toAsk.splice(0, fits < 0 ? toAsk.length : fits)
  }

  async function ask(texts: string[]): Promise<void> {
    later(() => {
      for (const text of texts) for (const found of waiting.get(text) ?? []) restore(found)
    }, patienceMs)
    const skipMachine = texts.filter((text) => waiting.get(text)?.some(({ noMachine }) => noMachine))
    const entries = await askTranslations({ ...parts, editing: mark !== undefined }, texts, skipMachine)
    failures = entries ? 0 : failures + 1
    if (failures >= failuresInARow) peaceUntil = now() + peaceMs
    const byText = new Map<string, TranslationEntry>()
    for (const entry of entries ?? []) if (!byText.has(entry.original.trim())) byText.set(entry.original.trim(), entry)
    for (const text of texts) {
      const entry = byText.get(text)
      const translated = parts.decode(entry?.translationsArray[language]?.translated ?? '')
      const answer: Answer = { translated, ...(entry ? { entry } : {}) }
      if (entries) known.set(text, answer)
      for (const found of waiting.get(text) ?? []) ready.push([found, answer])
      waiting.delete(text)
    }
    if (!working) run()
  }

  return {
    take(changed) {
      for (const record of changed) records.push(record)
      if (!working) run()
    },
  }
}
