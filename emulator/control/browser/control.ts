/** Fetches the moving parts of the page every two seconds, but for one that somebody is using. */
export function keepFresh(): void {
  setInterval(async () => {
    if (document.hidden) return
    const response = await fetch(location.pathname).catch(() => null)
    if (!response?.ok) return
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
    for (const part of document.querySelectorAll('[data-live]')) {
      const now = fresh.querySelector(`[data-live="${part.getAttribute('data-live')}"]`)
      if (!now || now.innerHTML === part.innerHTML || part.contains(document.activeElement)) continue
      part.replaceChildren(...now.childNodes)
    }
  }, 2_000)
}
