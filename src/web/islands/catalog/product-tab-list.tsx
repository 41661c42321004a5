import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

export type ProductTabListProps = {
  label: string
  tabs: readonly { key: string; label: string }[]
}

/** The tabs of a product page. Its panels are plain markup beside it and are shown and hidden by their ids. */
export function ProductTabList({ tabs, label }: ProductTabListProps) {
  const [chosen, setChosen] = useState(tabs[0]?.key)
  const links = useRef(new Map<string, HTMLAnchorElement>())

  useEffect(() => {
    for (const { key } of tabs) {
      const panel = document.getElementById(`tab-${key}`)
      if (panel) panel.hidden = key !== chosen
    }
  }, [tabs, chosen])

  useEffect(() => {
    const follow = () => {
      const wanted = tabs.find(({ key }) => location.hash === `#tab-${key}`)
      if (wanted) setChosen(wanted.key)
    }
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [tabs])

  function move(event: KeyboardEvent, place: number) {
    const last = tabs.length - 1
    const backwards = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const forwards = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const goal = new Map([
      [backwards, place === 0 ? last : place - 1],
      [forwards, place === last ? 0 : place + 1],
      ['Home', 0],
      ['End', last],
      [' ', place],
    ]).get(event.key)
    const tab = goal === undefined ? undefined : tabs[goal]
    if (!tab) return
    event.preventDefault()
    setChosen(tab.key)
    links.current.get(tab.key)?.focus()
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the public interface has a list here.
    <ul className="tabs wc-tabs" role="tablist" aria-label={label}>
      {tabs.map(({ key, label }, place) => (
        <li
          key={key}
          className={key === chosen ? `${key}_tab active` : `${key}_tab`}
          id={`tab-title-${key}`}
          role="presentation"
        >
          <a
            href={`#tab-${key}`}
            role="tab"
            aria-controls={`tab-${key}`}
            aria-selected={key === chosen}
            tabIndex={key === chosen ? 0 : -1}
            ref={(link) => {
              if (link) links.current.set(key, link)
              else links.current.delete(key)
            }}
            onClick={(event) => {
              event.preventDefault()
              setChosen(key)
            }}
            onKeyDown={(event) => move(event, place)}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}
