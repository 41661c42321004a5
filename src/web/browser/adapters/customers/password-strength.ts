import { accountEvents } from '#contract/customers/events.ts'
import { accountHooks } from '#contract/customers/hooks.ts'
import type { PasswordScorer } from '#domain/customers/password-strength.ts'
import { allOf } from '../../runtime/elements.ts'
import { listen, trigger } from '../../runtime/events.ts'
import { settings } from '../../runtime/settings.ts'

/** Class by score. */
const classes = ['short', 'bad', 'bad', 'good', 'strong'] as const

/** Shows the strength of a new password, and blocks the submission of a weak one. */
export function startPasswordStrength(): void {
  for (const input of allOf<HTMLInputElement>(accountHooks.newPasswords)) {
    for (const type of ['keyup', 'change', 'input']) listen(input, type, () => showStrength(input))
    // The visitor may have typed before this script loaded.
    if (input.value) showStrength(input)
  }
}

let passwordScore: PasswordScorer | undefined
let loading: Promise<void> | undefined

/** Loads the estimator, and offers it under the library name that third-party meters use. */
function loadEstimator(): Promise<void> {
  loading ??= import('./password-score.ts').then(
    (loaded) => {
      passwordScore = loaded.passwordScore
      if ('zxcvbn' in window) return
      const zxcvbn = (password: string, own: readonly string[] = []) => ({ score: loaded.passwordScore(password, own) })
      Object.assign(window, { zxcvbn })
    },
    (error: unknown) => {
      // The connection was lost: the next character tries again. Until then the server alone judges.
      loading = undefined
      throw error
    },
  )
  return loading
}

/** Loads the estimator for a third-party meter with the first character that is typed. */
export function offerEstimator(): void {
  for (const input of allOf<HTMLInputElement>(accountHooks.newPasswords))
    input.addEventListener('input', () => void loadEstimator().catch(reportError), { once: true })
}

function showStrength(input: HTMLInputElement): void {
  if (!passwordScore) {
    // Moving into an empty field is no reason to load anything.
    if (input.value !== '') loadEstimator().then(() => showStrength(input), reportError)
    return
  }
  const params = settings('wc_password_strength_meter_params')
  const { value, form } = input
  const lowest = Number(params.min_password_strength ?? 3)
  const score = passwordScore(value, ownWords(input))
  const weak = value !== '' && score < lowest
  const { meter, hint } = meterOf(input)
  const words = [params.i18n_short, params.i18n_bad, params.i18n_bad, params.i18n_good, params.i18n_strong][score] ?? ''
  const text = value === '' ? '' : weak ? `${words} - ${params.i18n_password_error ?? ''}` : words
  // Repeating the same text would announce it again.
  if (meter.textContent !== text) {
    meter.textContent = text
    meter.className = `${accountHooks.meterClass}${value === '' ? '' : ` ${classes[score]}`}`
    hint.textContent = params.i18n_password_hint ?? ''
    hint.hidden = !weak
    trigger(document.body, value === '' ? accountEvents.strengthHidden : accountEvents.strengthShown)
  }
  const blocks = weak && (!form?.matches('form.checkout') || params.stop_checkout === '1')
  for (const button of allOf<HTMLButtonElement>('button[type=submit]', form ?? document)) {
    button.disabled = blocks
    button.classList.toggle('disabled', blocks)
  }
}

/** Returns the customer's own details from the same form. */
function ownWords({ form }: HTMLInputElement): string[] {
  return allOf<HTMLInputElement>('input[type=text]:not([autocomplete$=password]), input[type=email]', form ?? document)
    .map(({ value }) => value)
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
}

function meterOf(input: HTMLInputElement): { meter: HTMLElement; hint: HTMLElement } {
  const box = input.closest(`.${accountHooks.passwordBoxClass}`) ?? input
  const known = box.parentElement?.querySelector<HTMLElement>(`.${accountHooks.meterClass}`)
  const knownHint = box.parentElement?.querySelector<HTMLElement>(`.${accountHooks.hintClass}`)
  if (known && knownHint) return { meter: known, hint: knownHint }
  const meter = document.createElement('span')
  meter.id = accountHooks.meterId
  meter.className = accountHooks.meterClass
  meter.setAttribute('role', 'alert')
  const hint = document.createElement('small')
  hint.className = accountHooks.hintClass
  hint.hidden = true
  box.after(meter, hint)
  const described = [input.getAttribute('aria-describedby'), accountHooks.meterId].filter(Boolean).join(' ')
  input.setAttribute('aria-describedby', described)
  trigger(document.body, accountEvents.strengthAdded)
  return { meter, hint }
}
