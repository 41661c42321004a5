/** Inside a message's frame: says how tall it is, and when it is pressed. */
export function runMessageFrame(): void {
  const say = (message: object) => parent.postMessage({ source: 'paypal-emulator-message', ...message }, '*')
  const height = () => Math.ceil(document.querySelector('.message')?.getBoundingClientRect().height ?? 0)
  for (const kind of ['click', 'close', 'apply']) {
    document.querySelector(`[data-${kind}]`)?.addEventListener('click', () => say({ kind }))
  }
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') say({ kind: 'close' })
  })
  say({ kind: 'ready', height: height() })
  // Drawn at no width at first: its lines break anew once the page has given it room.
  addEventListener('resize', () => say({ kind: 'resize', height: height() }))
  document.querySelector<HTMLElement>('[data-close]')?.focus()
}
