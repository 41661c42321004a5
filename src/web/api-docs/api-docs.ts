import 'openapi-explorer/dist/browser/openapi-explorer.min.js'

/** Colors of the viewer; it has attributes for the main ones, and derives the others. */
const themes = {
  light: {
    'bg-color': '#ffffff',
    'text-color': '#2b2622',
    'primary-color': '#8a3f25',
    'secondary-color': '#6b3520',
    'nav-bg-color': '#f4f0ea',
    'nav-text-color': '#3b342e',
    'nav-accent-color': '#8a3f25',
  },
  dark: {
    'bg-color': '#1d1a17',
    'text-color': '#ece6df',
    'primary-color': '#f0a98c',
    'secondary-color': '#f0c2ad',
    'nav-bg-color': '#27231f',
    'nav-text-color': '#d9d1c8',
    'nav-accent-color': '#f0a98c',
  },
} as const

/** Shows the document in place of the link to it. Without scripts, the link stays. */
function show(place: HTMLElement): void {
  const viewer = document.createElement('openapi-explorer')
  viewer.setAttribute('spec-url', place.dataset.document ?? '')
  viewer.setAttribute('collapse', '')
  viewer.setAttribute('hide-server-selection', '')
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const paint = () => {
    for (const [name, color] of Object.entries(themes[dark.matches ? 'dark' : 'light']))
      viewer.setAttribute(name, color)
    viewer.setAttribute('theme', dark.matches ? 'dark' : 'light')
  }
  paint()
  dark.addEventListener('change', paint)
  place.replaceChildren(viewer)
}

const place = document.getElementById('api-docs')
if (place) show(place)
