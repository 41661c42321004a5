import { applyCardStyle } from './card-fields-style.ts'
import type {
  CardConfirmation,
  CardConfirmed,
  CardFieldEvent,
  CardFieldName,
  CardFieldOrder,
  CardFieldReport,
  CardFieldSetUp,
} from './card-fields-wire.ts'
import {
  checkCvv,
  checkExpiry,
  checkName,
  checkNumber,
  digitsOf,
  formattedExpiry,
  formattedNumber,
  isoExpiry,
  possibleBrands,
} from './card-frame-rules.ts'
import { lineToPage } from './line.ts'

/** Inside the frame of one field: the input itself. What is typed goes to the provider's own origin and nowhere else. */
export function runCardFrame(token: string): void {
  const input = document.querySelector('input')
  const problem = document.querySelector('#message')
  if (!input || !problem) return
  // The page that serves the frame writes one of the four names.
  const field = document.body.dataset.field as CardFieldName
  let setUp: CardFieldSetUp = { style: {}, refusedBrands: [], codeSizes: [3, 4] }
  let wasLeft = false

  const line = lineToPage({
    'set up': (next: CardFieldSetUp) => {
      setUp = next
      if (next.placeholder !== undefined) input.placeholder = next.placeholder
      applyCardStyle(next.style)
      showVerdict()
      return report()
    },
    'code sizes': (sizes: readonly number[]) => {
      setUp = { ...setUp, codeSizes: sizes }
      input.value = input.value.slice(0, Math.max(...sizes))
      showVerdict()
      return report()
    },
    report,
    order: obey,
    confirm: (wanted: CardConfirmation) => confirmCard(token, wanted),
    result: (target: CardConfirmation['target']) => resultOf(token, target),
  })

  function report(): CardFieldReport {
    return { ...checked(), isFocused: document.activeElement === input && document.hasFocus() }
  }

  function checked(): Omit<CardFieldReport, 'isFocused'> {
    const text = input?.value.trim() ?? ''
    switch (field) {
      case 'number': {
        const { refused, ...number } = checkNumber(text, setUp.refusedBrands)
        const cards = number.isEmpty ? possibleBrands('') : possibleBrands(text)
        return { ...within(digitsOf(text).length, number), cards, refused }
      }
      case 'expiry':
        return checkExpiry(text, new Date())
      case 'cvv':
        return checkCvv(text, setUp.codeSizes)
      default:
        return within(text.length, checkName(text))
    }
  }

  function within<Checked extends Omit<CardFieldReport, 'isFocused'>>(length: number, verdict: Checked): Checked {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = setUp
    const isLong = length > maxLength
    if (!isLong && (length >= minLength || verdict.isEmpty)) return verdict
    return { ...verdict, isValid: false, isPotentiallyValid: verdict.isPotentiallyValid && !isLong }
  }

  function showVerdict(): void {
    const { isEmpty, isValid, isPotentiallyValid } = checked()
    const isInvalid = !isPotentiallyValid || (wasLeft && !isEmpty && !isValid)
    input?.classList.toggle('valid', isValid && !isEmpty)
    input?.classList.toggle('invalid', isInvalid)
    input?.setAttribute('aria-invalid', String(isInvalid))
  }

  function tell(event: CardFieldEvent): void {
    void line.ask('event', { event, report: report() })
  }

  function reformat(): void {
    if (!input || (field !== 'number' && field !== 'expiry')) {
      if (input && field === 'cvv') input.value = digitsOf(input.value).slice(0, Math.max(...setUp.codeSizes))
      return
    }
    // The caret stays behind the digit that it stood behind.
    const caret = input.selectionStart ?? input.value.length
    const atEnd = caret === input.value.length
    const before = digitsOf(input.value.slice(0, caret)).length
    input.value = field === 'number' ? formattedNumber(input.value) : formattedExpiry(input.value)
    if (atEnd) return
    let position = 0
    for (let seen = 0; seen < before && position < input.value.length; position++) {
      if (/\d/.test(input.value[position] ?? '')) seen += 1
    }
    input.setSelectionRange(position, position)
  }

  function obey(order: CardFieldOrder): void {
    if (!input || !problem) return
    switch (order.do) {
      case 'addClass':
        input.classList.add(order.name)
        break
      case 'removeClass':
        input.classList.remove(order.name)
        break
      case 'setAttribute':
        input.setAttribute(order.name, order.value)
        break
      case 'removeAttribute':
        input.removeAttribute(order.name)
        break
      case 'setMessage':
        problem.textContent = order.text
        break
      case 'clear':
        input.value = ''
        wasLeft = false
        showVerdict()
        tell('change')
        break
      case 'focus':
        input.focus()
    }
  }

  input.addEventListener('input', () => {
    reformat()
    showVerdict()
    tell('change')
  })
  input.addEventListener('focus', () => tell('focus'))
  input.addEventListener('blur', () => {
    wasLeft = true
    showVerdict()
    tell('blur')
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') tell('submit')
  })
  new ResizeObserver(() => void line.ask('height', Math.ceil(document.body.getBoundingClientRect().height))).observe(
    document.body,
  )
}

/** The values of the fields that belong together: frames of this origin beside this one, with the same group. */
function neighbouringValues(): Partial<Record<CardFieldName, string>> {
  const values: Partial<Record<CardFieldName, string>> = {}
  for (let i = 0; i < parent.length; i++) {
    try {
      // Below the count of the page's frames there is a window.
      const { body } = (parent[i] as Window).document
      if (body.dataset.group !== document.body.dataset.group) continue
      // Pages with a group have one of the four names.
      values[body.dataset.field as CardFieldName] = body.querySelector('input')?.value.trim() ?? ''
    } catch {
      // A frame of another origin, which is none of ours.
    }
  }
  return values
}

async function confirmCard(token: string, { target, name, billingAddress }: CardConfirmation): Promise<CardConfirmed> {
  const values = neighbouringValues()
  const holder = values.name || name
  const card = {
    number: digitsOf(values.number ?? ''),
    expiry: isoExpiry(values.expiry ?? ''),
    security_code: values.cvv,
    ...(holder ? { name: holder } : {}),
    ...(billingAddress ? { billing_address: billingAddress } : {}),
  }
  const path =
    target.kind === 'order'
      ? `/v2/checkout/orders/${encodeURIComponent(target.id)}/confirm-payment-source`
      : `/sdk/card-field/setup-tokens/${encodeURIComponent(target.id)}`
  return confirmedFrom(await callWith(token, 'POST', path, { payment_source: { card } }))
}

/** What the bank has made of it. A card whose owner the bank did not know is not kept. */
async function resultOf(token: string, { kind, id }: CardConfirmation['target']): Promise<CardConfirmed> {
  const path = kind === 'order' ? '/v2/checkout/orders' : '/v3/vault/setup-tokens'
  const answer = await callWith(token, 'GET', `${path}/${encodeURIComponent(id)}`)
  if (kind === 'setup-token' && answer.status === 'CREATED') throw new Error('CARD_AUTHENTICATION_FAILED')
  return confirmedFrom(answer)
}

type ConfirmAnswer = {
  status?: string
  links?: { rel: string; href: string }[]
  payment_source?: { card?: { authentication_result?: { liability_shift?: string } } }
}

function confirmedFrom({ status, links, payment_source }: ConfirmAnswer): CardConfirmed {
  const actionUrl =
    status === 'PAYER_ACTION_REQUIRED'
      ? links?.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href
      : undefined
  const liabilityShift = payment_source?.card?.authentication_result?.liability_shift
  return {
    ...(actionUrl === undefined ? {} : { actionUrl }),
    ...(liabilityShift === undefined ? {} : { liabilityShift }),
  }
}

async function callWith(token: string, method: string, path: string, body?: unknown): Promise<ConfirmAnswer> {
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      prefer: 'return=representation',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`Api: ${path} returned status code: ${response.status}\n\n${text}`)
  return text === '' ? {} : JSON.parse(text)
}
