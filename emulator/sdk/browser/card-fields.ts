import type { Destroyable, SdkSettings } from './buttons.ts'
import { allowedCardStyle, mergedCardStyle } from './card-fields-style.ts'
import { confirmCardPayment } from './card-fields-submit.ts'
import {
  CARD_FIELDS,
  type CardFieldEvent,
  type CardFieldName,
  type CardFieldOrder,
  type CardFieldReport,
  type CardFieldSetUp,
  type CardStyle,
} from './card-fields-wire.ts'
import { type CardBrand, possibleBrands } from './card-frame-rules.ts'
import { type Line, lineToFrame } from './line.ts'

type FieldState = { isFocused: boolean; isEmpty: boolean; isValid: boolean; isPotentiallyValid: boolean }

export type CardFieldsState = {
  cards: CardBrand[]
  emittedBy?: CardFieldName
  isFormValid: boolean
  errors: string[]
  fields: Record<string, FieldState>
}

type InputEvents = Partial<
  Record<'onChange' | 'onFocus' | 'onBlur' | 'onInputSubmitRequest', (state: CardFieldsState) => unknown>
>

export type CardFieldsOptions = {
  createOrder?: (data: Record<string, unknown>) => unknown
  createVaultSetupToken?: (data: Record<string, unknown>) => unknown
  onApprove?: (data: Record<string, unknown>) => unknown
  onError?: (error: unknown) => unknown
  onCancel?: () => unknown
  inputEvents?: InputEvents
  style?: CardStyle
}

export type CardFieldOptions = {
  placeholder?: string
  inputEvents?: InputEvents
  style?: CardStyle
  minLength?: number
  maxLength?: number
}

export type CardSubmission = { name?: string; billingAddress?: Record<string, string> }

export type CardField = {
  render(container: string | HTMLElement): Promise<void>
  addClass(name: string): Promise<void>
  removeClass(name: string): Promise<void>
  setAttribute(name: string, value: unknown): Promise<void>
  removeAttribute(name: string): Promise<void>
  setMessage(text: string): Promise<void>
  clear(): Promise<void>
  focus(): Promise<void>
  close(): Promise<void>
}

export type CardFieldsSettings = SdkSettings & { disabledCards: string[] }

type Mounted = { line: Line; latest: CardFieldReport | undefined; close(): void }

const FIELD_STATES: Record<CardFieldName, string> = {
  name: 'cardNameField',
  number: 'cardNumberField',
  expiry: 'cardExpiryField',
  cvv: 'cardCvvField',
}
const REQUIRED_FIELDS: readonly CardFieldName[] = ['number', 'expiry', 'cvv']
const SETTABLE_ATTRIBUTES = ['aria-invalid', 'aria-required', 'disabled', 'placeholder']
const FIELD_EVENTS: Record<CardFieldEvent, keyof InputEvents> = {
  change: 'onChange',
  focus: 'onFocus',
  blur: 'onBlur',
  submit: 'onInputSubmitRequest',
}
/** How long a frame may take to answer. */
const CARD_FRAME_MS = 15_000

let cardGroups = 0

/** A card's fields, each in a frame of the provider's: the page learns how they stand and never what is in them. */
export function createCardFields(settings: CardFieldsSettings, living: Set<Destroyable>, given: CardFieldsOptions) {
  cardGroups += 1
  const group = `${cardGroups}_${btoa(settings.version).replace(/=/g, '')}`
  const options = { ...given }
  const eligible = settings.eligibility.card !== false && settings.eligibility['card-fields'] !== false
  const mounted = new Map<CardFieldName, Mounted>()
  let submission: Promise<void> | undefined

  function state(emittedBy?: CardFieldName): CardFieldsState {
    const number = mounted.get('number')?.latest
    const fields: Record<string, FieldState> = {}
    const errors: string[] = []
    for (const field of CARD_FIELDS) {
      const report = mounted.get(field)?.latest
      if (!report && field === 'name') continue
      const { isEmpty = true, isValid = false, isPotentiallyValid = true, isFocused = false } = report ?? {}
      fields[FIELD_STATES[field]] = { isFocused, isEmpty, isValid, isPotentiallyValid }
      if (report?.refused) errors.push('INELIGIBLE_CARD_VENDOR')
      else if (!isValid) errors.push(`INVALID_${field.toUpperCase()}`)
    }
    return {
      cards: number?.cards ?? possibleBrands(''),
      ...(emittedBy === undefined ? {} : { emittedBy }),
      isFormValid: errors.length === 0,
      errors,
      fields,
    }
  }

  /** Asks every field anew: what was typed last may still be on its way. */
  async function freshState(): Promise<CardFieldsState> {
    await Promise.all(
      [...mounted.values()].map(async (field) => {
        const report = () => field.line.ask<CardFieldReport>('report')
        // Once more: the frame may have been moved, and so loaded anew, in the meantime.
        field.latest = await report().catch(report)
      }),
    )
    return state()
  }

  async function passOnCodeSizes(): Promise<void> {
    const cvv = mounted.get('cvv')
    // A frame that is loaded anew is told when it is set up.
    const report = await cvv?.line.ask<CardFieldReport>('code sizes', codeSizes()).catch(() => undefined)
    if (cvv && report) cvv.latest = report
  }

  const codeSizes = () => [
    ...new Set((mounted.get('number')?.latest?.cards ?? possibleBrands('')).map(({ code }) => code.size)),
  ]

  async function submit(details: CardSubmission = {}): Promise<void> {
    const missing = REQUIRED_FIELDS.filter((field) => !mounted.has(field))
    if (missing.length > 0) throw new Error(`Card fields are not rendered: ${missing.join(', ')}`)
    const { errors } = await freshState()
    if (errors.length > 0) throw new Error(errors.join(', '))
    const { line } = mounted.get('number') ?? {}
    if (!line) throw new Error('Component closed')
    try {
      await confirmCardPayment(settings.origin, line, options, details)
    } catch (error) {
      options.onError?.(error)
      throw error
    }
  }

  function field(name: CardFieldName, own: CardFieldOptions = {}): CardField {
    const setUp = (): CardFieldSetUp => ({
      style: allowedCardStyle(mergedCardStyle(options.style, own.style)),
      refusedBrands: settings.disabledCards,
      codeSizes: codeSizes(),
      ...(own.placeholder === undefined ? {} : { placeholder: own.placeholder }),
      ...(own.minLength === undefined ? {} : { minLength: own.minLength }),
      ...(own.maxLength === undefined ? {} : { maxLength: own.maxLength }),
    })

    async function heard(event: CardFieldEvent, report: CardFieldReport): Promise<void> {
      const self = mounted.get(name)
      if (!self) return
      const before = codeSizes().join()
      self.latest = report
      if (name === 'number' && codeSizes().join() !== before) await passOnCodeSizes()
      const handler = FIELD_EVENTS[event]
      ;(own.inputEvents?.[handler] ?? options.inputEvents?.[handler])?.(state(name))
    }

    async function order(what: CardFieldOrder): Promise<void> {
      const self = mounted.get(name)
      if (!self) throw new Error('Field is not rendered')
      await self.line.ask('order', what)
    }

    function settable(attribute: string): void {
      if (SETTABLE_ATTRIBUTES.includes(attribute)) return
      throw new Error(`Attribute ${attribute} is not allowed, expected ${SETTABLE_ATTRIBUTES.join(', ')}`)
    }

    return {
      async render(container) {
        const place = typeof container === 'string' ? document.querySelector(container) : container
        if (!eligible) throw new Error('card-fields is not eligible')
        if (!place) throw new Error(`Document is ready and element ${String(container)} does not exist`)
        if (mounted.has(name)) throw new Error(`The ${name} field is already rendered`)
        await renderCardField({ settings, living, group, name, place, setUp, heard, mounted })
      },
      addClass: (value) => order({ do: 'addClass', name: value }),
      removeClass: (value) => order({ do: 'removeClass', name: value }),
      async setAttribute(attribute, value) {
        settable(attribute)
        await order({ do: 'setAttribute', name: attribute, value: String(value) })
      },
      async removeAttribute(attribute) {
        settable(attribute)
        await order({ do: 'removeAttribute', name: attribute })
      },
      setMessage: (text) => order({ do: 'setMessage', text }),
      clear: () => order({ do: 'clear' }),
      focus: () => order({ do: 'focus' }),
      close() {
        mounted.get(name)?.close()
        return Promise.resolve()
      },
    }
  }

  return {
    isEligible: () => eligible,
    getState: freshState,
    /** A second call while one is on its way is the same submission. */
    submit(details?: CardSubmission): Promise<void> {
      submission ??= submit(details).finally(() => {
        submission = undefined
      })
      return submission
    },
    NameField: (own?: CardFieldOptions) => field('name', own),
    NumberField: (own?: CardFieldOptions) => field('number', own),
    CVVField: (own?: CardFieldOptions) => field('cvv', own),
    ExpiryField: (own?: CardFieldOptions) => field('expiry', own),
  }
}

type Rendering = {
  settings: CardFieldsSettings
  living: Set<Destroyable>
  group: string
  name: CardFieldName
  place: Element
  setUp(): CardFieldSetUp
  heard(event: CardFieldEvent, report: CardFieldReport): Promise<void>
  mounted: Map<CardFieldName, Mounted>
}

function renderCardField({ settings, living, group, name, place, setUp, heard, mounted }: Rendering): Promise<void> {
  const box = document.createElement('div')
  box.id = `zoid-paypal-card-${name}-field-${group}`
  const frame = document.createElement('iframe')
  frame.name = `__zoid__paypal_card_${name}_field__${group}__`
  frame.title = `paypal_card_${name}_field`
  Object.assign(frame.style, { display: 'block', width: '100%', height: '30px', border: '0', colorScheme: 'light' })
  const query = new URLSearchParams({ field: name, group, locale: settings.locale })
  frame.src = `${settings.origin}/sdk/card-field?${query}`
  box.append(frame)

  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Loading the card field timed out')), CARD_FRAME_MS)
    const line = lineToFrame(
      frame,
      settings.origin,
      {
        event: ({ event, report }: { event: CardFieldEvent; report: CardFieldReport }) => heard(event, report),
        height: (px: number) => {
          frame.style.height = `${px}px`
        },
      },
      // Again after every load: a frame that is moved in the document begins anew, and empty.
      () =>
        void line
          .ask<CardFieldReport>('set up', setUp())
          .then((report) => {
            self.latest = report
            clearTimeout(timer)
            resolve()
          })
          .catch(reject),
    )
    const self: Mounted = {
      line,
      latest: undefined,
      close() {
        clearTimeout(timer)
        line.close()
        box.remove()
        mounted.delete(name)
        living.delete(part)
      },
    }
    const part: Destroyable = {
      destroy(reason) {
        reject(reason)
        self.close()
      },
    }
    mounted.set(name, self)
    living.add(part)
    place.append(box)
  })
}
