import { variationEvents } from '#contract/events.ts'
import type { WireVariation } from '#contract/variation.ts'
import {
  type AttributeValues,
  availableOptions,
  chosenCount,
  keepPossible,
  matchVariation,
  type OptionState,
} from '#domain/catalog/match-variation.ts'
import { listen, trigger } from '#web/browser/events.ts'
import { askForVariation } from './ask-for-variation.ts'
import { restoreImage, restoreProduct, showVariation } from './swap-product.ts'
import { attributeName, type Choosable, choosable, isVariation } from './variation-choice.ts'
import type { VariationAttribute } from './variation-form.tsx'

const READY_AFTER_MS = 100

/** Attribute slug → the options that go with what else is chosen. */
export type OpenOptions = ReadonlyMap<string, readonly OptionState[]>

export type Reports = {
  found(variation: WireVariation | null): void
  open(open: OpenOptions): void
  chosenCount(count: number): void
  noMatch(noMatch: boolean): void
  announced(announced: boolean): void
}

/** The form's listeners. They read the selects themselves, since other scripts set those without asking React. */
export class VariationDriver {
  readonly #form: HTMLFormElement
  readonly #attributes: readonly VariationAttribute[]
  readonly #names: readonly string[]
  readonly #report: Reports
  /** False: the server is asked. */
  #variations: readonly Choosable[] | false = false
  #asking: AbortController | undefined
  #starting = true

  constructor(form: HTMLFormElement, attributes: readonly VariationAttribute[], report: Reports) {
    this.#form = form
    this.#attributes = attributes
    this.#names = attributes.map(({ slug }) => attributeName(slug))
    this.#report = report
  }

  /** @returns what ends it. */
  start(): () => void {
    const on = (name: string, listener: Parameters<typeof listen>[2]) => listen(this.#form, name, listener)
    const ends = [
      on('change', ({ target }) => {
        if (target instanceof HTMLSelectElement && target.closest('.variations')) this.#changed()
      }),
      on(variationEvents.check, () => this.#check()),
      on(variationEvents.reload, () => {
        this.#read()
        this.#check()
      }),
      on(variationEvents.updateValues, () => this.#filter()),
      on(variationEvents.found, (_, variation) => {
        if (isVariation(variation)) this.#found(variation)
      }),
      on(variationEvents.reset, () => {
        restoreProduct(this.#form)
        this.#report.found(null)
      }),
      on(variationEvents.resetImage, () => restoreImage(this.#form)),
      on(variationEvents.announceReset, () => this.#report.announced(true)),
      on(variationEvents.clearAnnouncement, () => this.#report.announced(false)),
      on(variationEvents.resetFocus, () => this.#selects()[0]?.focus()),
    ]
    this.#read()
    trigger(this.#form, variationEvents.check)
    this.#starting = false
    const ready = setTimeout(() => trigger(this.#form, variationEvents.ready, this), READY_AFTER_MS)
    return () => {
      clearTimeout(ready)
      this.#asking?.abort()
      for (const end of ends) end()
    }
  }

  #changed(): void {
    this.#report.found(null)
    this.#report.noMatch(false)
    trigger(this.#form, variationEvents.clearAnnouncement)
    if (this.#variations) trigger(this.#form, variationEvents.selectChange)
    trigger(this.#form, variationEvents.check)
    trigger(this.#form, variationEvents.changed)
  }

  #check(): void {
    this.#asking?.abort()
    // May take back a choice that is no longer possible, so what is chosen is read afterwards.
    trigger(this.#form, variationEvents.updateValues)
    const chosen = this.#chosen()
    const count = chosenCount(this.#names, chosen)
    this.#report.chosenCount(count)
    if (count < this.#names.length) trigger(this.#form, variationEvents.reset)
    else if (this.#variations) this.#settle(matchVariation(this.#variations, this.#names, chosen)?.wire)
    else void this.#ask(chosen)
  }

  async #ask(chosen: AttributeValues): Promise<void> {
    const asking = new AbortController()
    this.#asking = asking
    const variation = await askForVariation(this.#form, chosen, asking.signal)
    if (!asking.signal.aborted) this.#settle(variation)
  }

  #settle(variation: WireVariation | undefined): void {
    if (variation) {
      trigger(this.#form, variationEvents.found, variation)
      return
    }
    trigger(this.#form, variationEvents.reset)
    this.#report.chosenCount(0)
    this.#report.noMatch(!this.#starting)
  }

  #found(variation: WireVariation): void {
    showVariation(this.#form, variation)
    limitQuantity(this.#form, variation)
    this.#report.found(variation)
  }

  #filter(): void {
    const variations = this.#variations
    if (!variations) return
    const chosen = this.#chosen()
    const valuesOf = ({ options }: VariationAttribute) => options.map(({ value }) => value)
    const kept = keepPossible(
      variations,
      Object.fromEntries(this.#attributes.map((attribute) => [attributeName(attribute.slug), valuesOf(attribute)])),
      chosen,
    )
    this.#report.open(
      new Map(
        this.#attributes.map((attribute) => [
          attribute.slug,
          availableOptions(variations, attributeName(attribute.slug), valuesOf(attribute), kept),
        ]),
      ),
    )
    const lost = this.#selects().find((select) => kept[nameOf(select)] !== chosen[nameOf(select)])
    if (!lost) return
    lost.value = ''
    lost.dispatchEvent(new Event('change', { bubbles: true }))
  }

  #selects(): HTMLSelectElement[] {
    return [...this.#form.querySelectorAll<HTMLSelectElement>('.variations select')]
  }

  #chosen(): AttributeValues {
    return Object.fromEntries(this.#selects().map((select) => [nameOf(select), select.value]))
  }

  #read(): void {
    const read: unknown = JSON.parse(this.#form.dataset.product_variations || 'false')
    this.#variations = Array.isArray(read) && read.every(isVariation) ? read.map(choosable) : false
  }
}

function nameOf(select: HTMLSelectElement): string {
  return select.dataset.attribute_name || select.name
}

function limitQuantity(form: HTMLFormElement, variation: WireVariation): void {
  const input = form.querySelector<HTMLInputElement>('.quantity input.qty')
  const box = input?.closest<HTMLElement>('.quantity')
  if (!input || !box) return
  const alone = variation.is_sold_individually === 'yes'
  const min = alone ? 1 : variation.min_qty
  const max = alone ? '' : variation.max_qty
  box.hidden = alone
  input.min = String(min)
  input.max = String(max)
  const value = Number(input.value)
  const wanted = alone ? 1 : Number.isNaN(value) ? min : Math.max(min, max === '' ? value : Math.min(value, max))
  if (wanted === value) return
  input.value = String(wanted)
  input.dispatchEvent(new Event('change', { bubbles: true }))
}
