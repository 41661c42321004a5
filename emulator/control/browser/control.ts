/** Fetches the moving part of the page every two seconds, unless somebody is using it. */
export function keepFresh(): void {
  setInterval(async () => {
    const live = document.querySelector('#live')
    if (!live || document.hidden || live.contains(document.activeElement)) return
    const response = await fetch(location.href).catch(() => null)
    if (!response?.ok) return
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('#live')
    if (fresh && fresh.innerHTML !== live.innerHTML) live.replaceChildren(...fresh.childNodes)
  }, 2_000)
}
