import { useEffect, useEffectEvent, useState } from 'react'
import { accountEvents } from '#contract/customers/events.ts'
import { accountHooks } from '#contract/customers/hooks.ts'
import type { PasswordScore, PasswordScorer } from '#domain/customers/password-strength.ts'
import { allOf } from '../../browser/runtime/elements.ts'
import { listen, trigger } from '../../browser/runtime/events.ts'
import { settings } from '../../browser/runtime/settings.ts'

/** Class by score. */
const classes = ['short', 'bad', 'bad', 'good', 'strong'] as const

export type PasswordStrengthProps = {
  /** The id of the field, which stays the server's. */
  field: string
  /** By score. */
  words: readonly string[]
  tooWeak: string
  hint: string
}

type Estimate = { readonly score?: PasswordScore; readonly weak: boolean; readonly blocks: boolean }

/** The strength of a new password below its field, from the first character on. It blocks the submission of a weak one. */
export function PasswordStrength({ field, words, tooWeak, hint }: PasswordStrengthProps) {
  const [scorer, setScorer] = useState<PasswordScorer>()
  const [estimate, setEstimate] = useState<Estimate>()
  const weigh = useEffectEvent((input: HTMLInputElement) => {
    if (scorer) setEstimate(estimateOf(input, scorer))
    // Moving into an empty field is no reason to load anything. After a lost connection the next character tries again.
    else if (input.value !== '')
      import('../../browser/adapters/customers/password-score.ts').then(
        ({ passwordScore }) => setScorer(() => passwordScore),
        reportError,
      )
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed before the scorer came is weighed then.
  useEffect(() => {
    const input = fieldOf(field)
    if (!input) return
    weigh(input)
    const ends = ['keyup', 'change', 'input'].map((type) => listen(input, type, () => weigh(input)))
    return () => {
      for (const end of ends) end()
    }
  }, [field, scorer])

  const { score, weak, blocks } = estimate ?? {}
  const word = score === undefined ? '' : (words[score] ?? '')
  const text = weak ? `${word} - ${tooWeak}` : word
  const isThere = estimate !== undefined
  useEffect(() => {
    if (!isThere) return
    const input = fieldOf(field)
    const described = [input?.getAttribute('aria-describedby'), accountHooks.meterId].filter(Boolean).join(' ')
    input?.setAttribute('aria-describedby', described)
    trigger(document.body, accountEvents.strengthAdded)
  }, [field, isThere])
  useEffect(() => {
    if (isThere) trigger(document.body, text === '' ? accountEvents.strengthHidden : accountEvents.strengthShown)
  }, [isThere, text])
  useEffect(() => {
    if (!blocks) return
    const buttons = allOf<HTMLButtonElement>('button[type=submit]', fieldOf(field)?.form ?? document)
    const set = (disabled: boolean) => {
      for (const button of buttons) {
        button.disabled = disabled
        button.classList.toggle('disabled', disabled)
      }
    }
    set(true)
    return () => set(false)
  }, [field, blocks])

  if (!isThere) return null
  const { meterId, meterClass, hintClass } = accountHooks
  return (
    <>
      <span id={meterId} className={score === undefined ? meterClass : `${meterClass} ${classes[score]}`} role="alert">
        {text}
      </span>
      <small className={hintClass} hidden={!weak}>
        {hint}
      </small>
    </>
  )
}

function fieldOf(id: string): HTMLInputElement | undefined {
  const input = document.getElementById(id)
  return input instanceof HTMLInputElement ? input : undefined
}

/** Other scripts may set both limits. */
function estimateOf(input: HTMLInputElement, scorer: PasswordScorer): Estimate {
  const { min_password_strength, stop_checkout } = settings('wc_password_strength_meter_params')
  if (input.value === '') return { weak: false, blocks: false }
  const score = scorer(input.value, ownWords(input))
  const weak = score < Number(min_password_strength ?? 3)
  return { score, weak, blocks: weak && (!input.form?.matches('form.checkout') || stop_checkout === '1') }
}

/** Returns the customer's own details from the same form. */
function ownWords({ form }: HTMLInputElement): string[] {
  return allOf<HTMLInputElement>('input[type=text]:not([autocomplete$=password]), input[type=email]', form ?? document)
    .map(({ value }) => value)
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
}
