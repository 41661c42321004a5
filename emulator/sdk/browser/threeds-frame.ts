import { lineToPage } from './line.ts'

/** The bank's page in a dialog over the shop's: tells the shop's page when it is done. Alone it is forms and links. */
export function runBank(): void {
  const inDialog = parent !== window && window.name.startsWith('__zoid__three_domain_secure')
  const line = inDialog
    ? lineToPage({ opened: () => document.querySelector<HTMLElement>('button')?.focus() })
    : undefined
  // The page takes the frame away while it answers.
  const close = () => line?.ask('close').catch(() => {})

  for (const form of document.forms) {
    const mode = form.querySelector<HTMLInputElement>('input[name=mode]')
    if (mode && inDialog) mode.value = 'dialog'
    form.addEventListener('submit', (event) => {
      // A second press must not send the form again while the first answer is on its way.
      if (form.dataset.sent) event.preventDefault()
      form.dataset.sent = 'yes'
    })
    if (form.dataset.byItself !== undefined) form.requestSubmit()
  }
  document.querySelector('#bank-close')?.addEventListener('click', () => (inDialog ? close() : history.back()))
  if (!inDialog) return
  const { outcome } = document.body.dataset
  if (outcome === 'done') line?.ask('done', 'done').catch(() => {})
  if (outcome === 'close') close()
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
  })
}
