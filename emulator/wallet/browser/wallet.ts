/** In a window that a button opened, the pages answer to that button; anywhere else their forms and links lead back. */
export function runWallet(): void {
  const { token = '', outcome, payer } = document.body.dataset
  const opener: Window | null = window.name.startsWith('__zoid__paypal_checkout__')
    ? (window.opener ?? (window.parent === window ? null : window.parent))
    : null
  const tell = (result: object) => {
    // A window's opener is a frame of this origin; a layer's parent is the shop, whose origin is not known here.
    const target = window.opener ? location.origin : '*'
    opener?.postMessage({ source: 'paypal-emulator-wallet', token, outcome: result }, target)
  }

  if (opener) {
    for (const input of document.querySelectorAll<HTMLInputElement>('input[name=mode]')) input.value = 'popup'
    if (outcome === 'approved') tell({ kind: 'approved', payerId: payer })
    document.querySelector('#cancelLink')?.addEventListener('click', (event) => {
      event.preventDefault()
      tell({ kind: 'cancelled' })
    })
    document.querySelector('#closeWindow')?.addEventListener('click', () => window.close())
  }
  // A second press of a button must not send the form again while the first answer is on its way.
  for (const form of document.querySelectorAll('form')) {
    form.addEventListener('submit', (event) => {
      if (form.dataset.sent) event.preventDefault()
      form.dataset.sent = 'yes'
      document.body.classList.add('sending')
    })
  }
}
