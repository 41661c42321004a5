import { consentEvents, consentHooks } from '#contract/statistics/consent.ts'
import { answerConsent, gpc, isConsented, isConsentUndecided } from './consent.ts'

/**
 * The question and the choices behind it: one form, for agreeing as for taking it back, which the links at the foot of the page
 * open.
 * @returns what asks, at the bottom of the window, and takes the focus from nobody
 */
export function consentForm(form: HTMLElement, asks: readonly string[]): { ask: () => void } {
  const find = (selector: string) => form.querySelectorAll<HTMLElement>(selector)
  const boxes = form.querySelectorAll<HTMLInputElement>('input[name]')
  let openedBy: HTMLElement | undefined

  const show = (choices: boolean) => {
    for (const box of boxes) box.checked = isConsented(box.name)
    for (const note of find('[data-gpc]')) note.hidden = !gpc
    for (const part of find('[data-when]')) part.hidden = (part.dataset.when === 'choices') !== choices
    for (const close of find('[value=close]')) close.hidden = isConsentUndecided(asks)
    form.hidden = false
    form.scrollTop = 0
    if (!choices) return
    boxes[0]?.focus({ preventScroll: true })
    // In a low window the bars stand at the page's end and stick to nothing.
    if (form.getBoundingClientRect().bottom > innerHeight + 1) form.scrollIntoView()
  }

  const hide = () => {
    const focused = form.contains(document.activeElement)
    form.hidden = true
    // What had the focus is gone: it goes on where it came from.
    if (focused) (openedBy ?? document.querySelector('main'))?.focus({ preventScroll: openedBy === undefined })
    openedBy = undefined
  }

  const answer = (agrees: (category: string) => boolean) => {
    const takenBack = asks.some((category) => isConsented(category) && !agrees(category))
    // Read before the first answer is given: the boxes change with it.
    const given = asks.map((category) => [category, agrees(category)] as const)
    hide()
    for (const [category, agreed] of given) answerConsent(category, agreed ? 'allow' : 'deny')
    const { takenback = '', saved = '' } = form.dataset
    for (const status of document.querySelectorAll(consentHooks.status))
      status.textContent = takenBack ? takenback : saved
  }

  const ticked = (category: string) => [...boxes].some(({ name, checked }) => name === category && checked)
  const presses: Record<string, () => void> = {
    all: () => answer(() => true),
    none: () => answer(() => false),
    choose: () => show(true),
    save: () => answer(ticked),
    close: hide,
  }

  form.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement) presses[target.value]?.()
  })
  // Enter in a box sends a form; this one has nowhere to go.
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    if (!isConsentUndecided(asks)) return hide()
    show(false)
    for (const choose of find('[value=choose]')) choose.focus({ preventScroll: true })
  })
  document.addEventListener(consentEvents.changed, () => {
    if (!openedBy && !isConsentUndecided(asks)) hide()
  })
  // What has the focus is never to be behind the bars: the styles are told how high they are.
  const bars = form.parentElement
  if (bars) {
    new ResizeObserver(() => {
      document.documentElement.style.setProperty('--bottom-h', `${bars.offsetHeight}px`)
    }).observe(bars)
  }

  for (const link of document.querySelectorAll<HTMLElement>(consentHooks.link)) {
    link.role = 'button'
    link.addEventListener('click', (event) => {
      event.preventDefault()
      openedBy = link
      show(true)
    })
  }
  return { ask: () => show(false) }
}
