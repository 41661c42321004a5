import { consentEvents, consentHooks, measureHooks } from '#contract/consent.ts'
import { defineConsent, undecided } from './consent.ts'

/** What a part is told: whether it may keep or send anything. Asked anew each time, since answers change. */
export type Permission = { allowed: () => boolean }

/** A part that measures: whether it has anything to do here and may do it, and what starts it, once. */
type Part = { due: () => boolean; start: () => Promise<unknown> | undefined }

const asks = (document.querySelector<HTMLElement>(measureHooks.script)?.dataset.asks ?? '').split(' ').filter(Boolean)
const parts = new Set<Part>()

// A page that is made ready before anybody has chosen it counts for nothing and keeps nothing.
if (Reflect.get(document, 'prerendering') === true) {
  document.addEventListener('prerenderingchange', start, { once: true })
} else {
  start()
}

function start(): void {
  const form = document.querySelector<HTMLElement>(consentHooks.form)
  if (form) startConsent(form)
  for (const name of Object.values(consentEvents)) document.addEventListener(name, startParts)
  whenIdle(startParts)
}

/** Gives other scripts the interface they know, and the visitor the choice. */
function startConsent(form: HTMLElement): void {
  defineConsent(Number(form.dataset.days))
  const loaded = () => import('./consent-form.ts').then(({ consentForm }) => consentForm(form, asks))
  let made: ReturnType<typeof loaded> | undefined
  const consent = () => {
    made ??= loaded()
    return made
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>(consentHooks.link)) {
    link.role = 'button'
    link.addEventListener('click', (event) => {
      event.preventDefault()
      // Without the form there is still the page that says what is kept.
      consent().then(
        ({ open }) => open(link),
        () => location.assign(link.href),
      )
    })
  }
  if (undecided(asks)) whenIdle(() => consent().then(({ ask }) => ask(), console.debug))
}

/** Starts what may run and does not yet. A part that cannot be had, as where something blocks it, is done without. */
function startParts(): void {
  for (const part of parts) {
    if (!part.due()) continue
    parts.delete(part)
    part.start()?.catch((problem: unknown) => console.debug(problem))
  }
}

/** Waits until the page has nothing better to do, but not for ever. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 1000 })
  else setTimeout(run, 200)
}
