type Question = Record<string, unknown>
type Verdict = { verdict: 'accepted' | 'refused' | 'own'; message?: string }

/** In a window that a button opened, the pages answer to that button; anywhere else their forms and links lead back. */
export function runWallet(): void {
  const { token = '', outcome, payer } = document.body.dataset
  const opener: Window | null = window.name.startsWith('__zoid__paypal_checkout__')
    ? (window.opener ?? (window.parent === window ? null : window.parent))
    : null
  const tell = (said: { outcome: object } | { question: object }) => {
    // A window's opener is a frame of this origin; a layer's parent is the shop, whose origin is not known here.
    const target = window.opener ? location.origin : '*'
    opener?.postMessage({ source: 'paypal-emulator-wallet', token, ...said }, target)
  }

  let asked = 0
  let verdictHeard: ((verdict: Verdict) => void) | undefined
  addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== opener || typeof data !== 'object' || data === null || !('verdict' in data)) return
    // The page's script, or the button's frame, wrote it: both are this emulator's.
    const verdict = data.verdict as Verdict & { id: number }
    if (verdict.id === asked) verdictHeard?.(verdict)
  })

  /** What the shop's page says to a question; never settles for one that a newer one has overtaken. */
  function askPage(question: Question): Promise<Verdict> {
    return new Promise((resolve) => {
      verdictHeard = resolve
      tell({ question: { ...question, id: asked } })
    })
  }

  async function send(step: string, fields: Record<string, string>): Promise<{ question?: Question }> {
    const body = new URLSearchParams({ token, step, mode: opener ? 'popup' : 'script', ...fields })
    const response = await fetch('/checkoutnow', { method: 'POST', body })
    return response.headers.get('content-type')?.startsWith('application/json') ? response.json() : {}
  }

  /** Another address or way of shipping: whoever is to be asked is asked, then the page shows what came of it. */
  async function choose(wish: Record<string, string>): Promise<void> {
    asked += 1
    const mine = asked
    say('Asking the shop …')
    // Nobody agrees to a total that is still being worked out. A shop that never answers holds nobody up for good.
    agreeButtons(false)
    setTimeout(() => mine === asked && agreeButtons(true), 8_000)
    if (opener) {
      const { question } = await send('question', wish)
      if (mine !== asked) return
      if (question) {
        const { verdict, message } = await askPage(question)
        await send('verdict', { ...wish, verdict, ...(message === undefined ? {} : { message }) })
      }
    } else {
      await send('shipping', wish)
    }
    if (mine === asked) await readAnew(mine)
  }

  const agreeButtons = (open: boolean) => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('#payment-submit-btn:not([aria-describedby])')) {
      button.disabled = !open
    }
  }

  function say(text: string): void {
    const place = document.querySelector('#progress')
    if (place) place.textContent = text
  }

  /** The page as the server now has it, in place, with the focus where it was; not once a newer choice is being asked about. */
  async function readAnew(mine: number): Promise<void> {
    const response = await fetch(location.href)
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
    if (!fresh || mine !== asked || document.body.classList.contains('sending')) return
    const focused = document.activeElement
    const place =
      focused instanceof HTMLInputElement
        ? `input[name="${focused.name}"][value="${CSS.escape(focused.value)}"]`
        : focused?.id && `#${focused.id}`
    document.querySelector('main')?.replaceWith(fresh)
    nameMode()
    if (place) document.querySelector<HTMLElement>(place)?.focus()
  }

  function nameMode(): void {
    for (const input of document.querySelectorAll<HTMLInputElement>('input[name=mode]')) {
      input.value = opener ? 'popup' : 'script'
    }
  }

  nameMode()
  if (opener && outcome === 'approved') tell({ outcome: { kind: 'approved', payerId: payer } })
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'address') void choose({ address: target.value })
    if (target instanceof HTMLSelectElement && target.name === 'shipping_option') {
      void choose({ shipping_option: target.value })
    }
  })
  document.addEventListener('click', (event) => {
    if (!opener || !(event.target instanceof Element)) return
    if (event.target.closest('#closeWindow')) window.close()
    if (!event.target.closest('#cancelLink')) return
    event.preventDefault()
    tell({ outcome: { kind: 'cancelled' } })
  })
  // A second press of a button must not send the form again while the first answer is on its way.
  document.addEventListener('submit', (event) => {
    if (document.body.classList.contains('sending')) event.preventDefault()
    document.body.classList.add('sending')
  })
  const first = document.querySelector<HTMLInputElement>('input[name=address]:checked')
  if (opener && document.body.dataset.asks && first) void choose({ address: first.value })
}
