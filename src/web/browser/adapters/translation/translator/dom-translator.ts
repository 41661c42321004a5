import {
  addressAttributes,
  type TranslationEntry,
  type TranslatorSettings,
  translateLimits,
} from '#contract/translation/translate.ts'
import { type FoundText, shownIn, write } from './found-text.ts'
import { fetchTranslations, type Send, type TranslatorLog } from './request-translations.ts'
import { islandSelector, skipRules } from './skip-rules.ts'
import type { Answer } from './text-limits.ts'
import type { TextQueue } from './translation-queue.ts'

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
  readonly log: TranslatorLog
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

  /** Texts that are asked for, or will be, with the places where they stand. */
  const waiting = new Map<string, FoundText[]>()
  /** Of what scripts have put in: what stood there before it. */
  const homes = new WeakMap<Node, Node>()
  let queue: TextQueue | undefined
  let ready: (readonly [FoundText, Answer])[] = []
  let records: MutationRecord[] = []
  const places = new WeakMap<Node, Map<string, Place>>()
  let working = false

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

  function consider(
    node: Text | Element,
    name: string,
    { place: at = node, bare = false, noMachine = false }: { place?: Node; bare?: boolean; noMachine?: boolean } = {},
  ): void {
    const seen = shownIn({ node, name }) ?? ''
    const text = seen.trim()
    if (text === '' || text.length > translateLimits.characters) return
    if (name !== '' && /^(?:#|data:|blob:|javascript:)/.test(text)) return
    const place = placeOf(node, name)
    // Ours, or seen already: two changes may tell of one text.
    if (place.written === seen || (place.found?.seen === seen && !place.found.blank)) return
    if (rules.isNoText(text) || queue?.isTooOften({ text, place: at }) || rules.isListed(text, name)) return
    const element = node instanceof Element ? node : node.parentElement
    const found: FoundText = {
      node,
      name,
      place: at,
      text,
      seen,
      noMachine: noMachine || element?.closest(rules.noMachine) !== null,
      blank: false,
    }
    const answer = queue?.answerTo(text, name)
    if (answer) {
      place.found = found
      ready.push([found, answer])
      return
    }
    const others = waiting.get(text)
    if (!others) {
      if (parts.isOwn(text) || queue?.isAtPeace()) return
      queue?.add(text)
    }
    place.found = found
    if (others) others.push(found)
    else waiting.set(text, [found])
    if (translates && name === '' && (bare || blanksAll) && (queue?.dueAt(text) ?? 0) <= now()) {
      found.blank = true
      place.told = false
      put(found, '')
    }
  }

  function considerAttribute(element: Element, { selector, name }: Attribute, place?: Node): void {
    if (!element.matches(selector)) return
    if (settings.trp_base_selectors.some((base) => element.hasAttribute(`${base}-${name}`))) return
    consider(element, name, { place: place ?? element, noMachine: addressAttributes.has(name) })
  }

  function* look(added: Node, place: Node): Generator<void> {
    if (!added.isConnected) return
    if (added instanceof Text) {
      const parent = added.parentElement
      if (parent && !rules.isInside(parent)) consider(added, '', { place, bare: true })
      return
    }
    if (!(added instanceof Element)) return
    if (rules.isInside(added)) {
      for (const island of added.querySelectorAll(islandSelector)) yield* look(island, place)
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
      if (!added.contains(node)) return yield* look(added, place)
      if (node instanceof Text) consider(node, '', { place })
      else if (node instanceof Element && node.matches(anyAttribute)) {
        for (const attribute of attributes) considerAttribute(node, attribute, place)
      }
      yield
    }
    for (const island of islands) yield* look(island, place)
  }

  function* scan({ type, target, addedNodes, attributeName }: MutationRecord): Generator<void> {
    if (type === 'childList') {
      let place = target
      for (let node: Node | null = target; node; node = node.parentNode) place = homes.get(node) ?? place
      for (const node of addedNodes) {
        homes.set(node, place)
        yield* look(node, place)
      }
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
    queue?.count(found, translated !== '')
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
      void planToAsk()
      parts.shown?.()
      return
    }
    later(run, 0)
  }

  /** What asks comes with the first text that is to be asked for. */
  async function planToAsk(): Promise<void> {
    if (waiting.size === 0) return
    const { createTranslationQueue } = await import('./translation-queue.ts').catch((error: unknown) => {
      // As when no answer comes: whatever waits is given back, and the next text tries again.
      parts.log.error(String(error))
      for (const found of [...waiting.values()].flat()) restore(found)
      waiting.clear()
      return { createTranslationQueue: null }
    })
    if (createTranslationQueue)
      queue ??= createTranslationQueue({
        waiting,
        allowed: Number(settings.duplicate_detections_allowed),
        now,
        later,
        ask: (texts, skipMachine) => fetchTranslations({ ...parts, editing: mark !== undefined }, texts, skipMachine),
        said: (entry) => parts.decode(entry?.translationsArray[language]?.translated ?? ''),
        isOurs,
        restore,
        settle(found) {
          for (const one of found) ready.push(one)
          if (!working) run()
        },
      })
    queue?.plan()
  }

  return {
    take(changed) {
      for (const record of changed) records.push(record)
      if (!working) run()
    },
  }
}
