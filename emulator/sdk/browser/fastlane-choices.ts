import { cardForm, readPlace } from './fastlane-card-form.ts'
import {
  type CardOutcome,
  type CodeOutcome,
  type FastlaneSetUp,
  type FastlaneShipping,
  type FastlaneToken,
  isAllowedPlace,
  type MemberProfile,
  requestFastlane,
} from './fastlane-wire.ts'
import type { Line } from './line.ts'

/** Takes the one-time code. */
export async function runCode(line: Line, setUp: FastlaneSetUp): Promise<void> {
  const { customerContextId } = setUp
  const end = (outcome: CodeOutcome) => line.ask('done', outcome).catch(() => {})
  const challenge = await requestFastlane<{ known: boolean; leaves?: boolean; phoneEnding?: string }>(
    setUp,
    'challenge',
    {
      customerContextId,
    },
  )
  if (!challenge.known) return void end('unrecognized')
  if (challenge.leaves) return void end('canceled')
  const sent = document.querySelector<HTMLElement>('#sent')
  if (sent) sent.textContent = (sent.dataset.text ?? '').replace('%', challenge.phoneEnding ?? '')
  const form = document.forms[0]
  const input = form?.querySelector('input')
  if (!form || !input) return
  let asking = false

  async function prove(): Promise<void> {
    const problem = form?.querySelector<HTMLElement>('.problem')
    if (asking || !form || !input || !problem) return
    asking = true
    try {
      const answer = await requestFastlane<{ state: string; triesLeft?: number }>(setUp, 'prove', {
        customerContextId,
        code: input.value,
      })
      if (answer.state === 'succeeded' || answer.state === 'failed') void end(answer.state)
      else problem.textContent = (form.dataset.wrong ?? '').replace('%', String(answer.triesLeft))
    } catch {
      // Not heard: the same code may be sent once more.
      problem.textContent = problem.dataset.failed ?? ''
    }
    input.value = ''
    input.focus()
    asking = false
  }
  function read(): void {
    if (!input) return
    input.value = input.value.replace(/\D/g, '')
    if (input.value.length === 6) void prove()
  }
  input.addEventListener('input', read)
  // Somebody may have typed before anybody listened.
  read()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (input.value !== '') void prove()
  })
}

/** Lets a member choose where the goods go. */
export async function runAddresses(line: Line, setUp: FastlaneSetUp): Promise<void> {
  const { customerContextId, allowedLocations, shippingAddress } = setUp
  const { addresses, name } = await requestFastlane<MemberProfile>(setUp, 'profile', { customerContextId })
  offerChoices({
    options: addresses.map(({ companyName, name: { fullName }, address }) => ({
      text: [fullName, companyName, address.addressLine1, address.adminArea2, address.adminArea1, address.postalCode]
        .filter(Boolean)
        .join(', '),
      allowed: isAllowedPlace(address, allowedLocations),
      chosen: shippingAddress?.addressLine1 === address.addressLine1,
    })),
    choose: (index) => line.ask('done', addresses[index]),
    add: (form) => {
      const part = (key: string) => form.querySelector<HTMLInputElement>(`input[name=${key}]`)?.value.trim() ?? ''
      const place = readPlace(form, form.dataset.wrong ?? '')
      if (!isAllowedPlace(place, allowedLocations)) throw new Error(form.dataset.refused ?? '')
      const firstName = part('firstName') || name.firstName
      const lastName = part('lastName') || name.lastName
      const added: FastlaneShipping = {
        companyName: '',
        name: { firstName, lastName, fullName: `${firstName} ${lastName}` },
        address: place,
        phoneNumber: { countryCode: '1', nationalNumber: part('phone').replace(/\D/g, '') },
      }
      return line.ask('done', added)
    },
  })
}

/** Lets a member choose what pays. */
export async function runCards(line: Line, setUp: FastlaneSetUp): Promise<void> {
  const { customerContextId, allowedBrands, card: current } = setUp
  const { cards, addresses } = await requestFastlane<MemberProfile>(setUp, 'profile', { customerContextId })
  const isTaken = (brand: string) => allowedBrands.length === 0 || allowedBrands.includes(brand)
  const end = (outcome: CardOutcome) => line.ask('done', outcome)
  const [form] = document.forms
  if (!form) return
  const inputs = cardForm(form)
  offerChoices({
    options: cards.map(({ brand, lastDigits, expiry }, index) => ({
      text: `${brand} ·· ${lastDigits}, ${expiry.slice(5)}/${expiry.slice(2, 4)}`,
      allowed: isTaken(brand),
      chosen: current?.index === index,
    })),
    async choose(index) {
      const card = cards[index]
      const token = await requestFastlane<FastlaneToken>(setUp, 'card', { customerContextId, index })
      await end(card ? { token, card: { index, ...card } } : { token })
    },
    async add() {
      const typed = inputs.read([])
      const postalCode = form.querySelector<HTMLInputElement>('input[name=postalCode]')?.value.trim()
      const billingAddress = { ...addresses[0]?.address, ...(postalCode ? { postalCode } : {}) }
      const token = await requestFastlane<FastlaneToken>(setUp, 'new card', { ...typed, billingAddress })
      if (!isTaken(token.paymentSource.card.brand)) throw new Error(form.dataset.refused ?? '')
      await end({ token })
    },
  })
}

type Choices = {
  options: { text: string; allowed: boolean; chosen: boolean }[]
  choose(index: number): Promise<unknown>
  add(form: HTMLFormElement): Promise<unknown>
}

function offerChoices({ options, choose, add }: Choices): void {
  const [form] = document.forms
  const list = form?.querySelector('.choices')
  const fresh = form?.querySelector<HTMLElement>('.new')
  const problem = form?.querySelector<HTMLElement>('.problem')
  const other = form?.querySelector<HTMLInputElement>('input[value=new]')
  if (!form || !list || !fresh || !problem || !other) return
  const radios = options.map(({ text, allowed, chosen }, index) => {
    const label = document.createElement('label')
    label.className = 'choice'
    const radio = document.createElement('input')
    Object.assign(radio, {
      type: 'radio',
      name: 'choice',
      value: String(index),
      disabled: !allowed,
      checked: chosen && allowed,
    })
    const words = document.createElement('span')
    words.textContent = allowed ? text : `${text} · ${form.dataset.refused ?? ''}`
    label.append(radio, words)
    list.append(label)
    return radio
  })
  const first = radios.find((radio) => radio.checked) ?? radios.find((radio) => !radio.disabled) ?? other
  first.checked = true
  const show = () => {
    fresh.hidden = !other.checked
  }
  form.addEventListener('change', show)
  show()
  first.focus()
  let busy = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (busy) return
    busy = true
    problem.textContent = ''
    try {
      await (other.checked ? add(form) : choose(radios.findIndex((radio) => radio.checked)))
    } catch (error) {
      const text = error instanceof Error ? error.message : ''
      // What is wrong with a field stands beside it.
      if (document.querySelector('[aria-invalid=true]')) problem.textContent = ''
      else problem.textContent = text === form.dataset.refused ? text : (problem.dataset.failed ?? '')
    }
    busy = false
  })
}
