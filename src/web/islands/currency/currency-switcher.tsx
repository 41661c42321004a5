import { type KeyboardEvent, type SubmitEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { currencyHooks } from '#contract/currency/hooks.ts'
import { type FlagDrawing, FlagPicture } from '../shared/flag-picture.tsx'
import { Listbox, type OptionAttributes } from '../shared/listbox.tsx'
import { useListbox } from '../shared/use-listbox.ts'

export type CurrencyOption = {
  readonly code: string
  readonly name?: string
  readonly symbol?: string
  readonly flag?: FlagDrawing
}

export type CurrencySwitcherProps = {
  readonly className: string
  readonly action: string
  readonly options: readonly CurrencyOption[]
  /** The code of the page's currency. */
  readonly present: string
  /** The code of the shop's own currency. */
  readonly own: string
  readonly byCountry: boolean
  readonly label: string
}

/** Translators of any kind must not change currency codes and symbols. */
const untouched = { translate: 'no', 'data-no-translation': '' } as const

/**
 * The display currencies: a list of buttons that submit a form, which works without scripts. From the first use on it
 * is a listbox, whose options take the focus. Whether it is open stands in the `details` element, since it opens itself.
 */
export function CurrencySwitcher({
  className,
  action,
  options,
  present,
  own,
  byCountry,
  label,
}: CurrencySwitcherProps) {
  const prefix = useId()
  const details = useRef<HTMLDetailsElement>(null)
  const trigger = useRef<HTMLElement>(null)
  const [isUsed, setUsed] = useState(false)
  /** The code of a currency whose page is loading. */
  const [coming, setComing] = useState<string>()
  const shown = options.find(({ code }) => code === (coming ?? present))
  const idOf = (code: string) => `${prefix}${code}`

  const close = (returning = false) => {
    if (!details.current?.open) return
    if (returning) trigger.current?.focus({ preventScroll: true })
    details.current.open = false
  }
  const listbox = useListbox({
    options: options.map((option) => ({ ...option, id: idOf(option.code) })),
    wordsOf: ({ name, code }) => (name ? [name, code] : [code]),
    closesOnTab: true,
    close: () => close(true),
  })

  const onToggle = () => {
    setUsed(true)
    const focused = document.activeElement
    const isInList = focused !== trigger.current && details.current?.contains(focused)
    if (details.current?.open && !isInList) listbox.activate(listbox.options.find(({ code }) => code === shown?.code))
  }
  // A press may have opened it before.
  const onAwake = useEffectEvent(() => details.current?.open && onToggle())
  const closeUnless = useEffectEvent((target: EventTarget | null) => {
    if (!(target instanceof Node && details.current?.contains(target))) close()
  })
  const onReturn = useEffectEvent((persisted: boolean) => {
    if (!persisted) return
    setComing(undefined)
    close()
  })
  useEffect(() => {
    onAwake()
    const ended = new AbortController()
    const { signal } = ended
    document.addEventListener('click', ({ target }) => closeUnless(target), { signal })
    addEventListener('pageshow', ({ persisted }) => onReturn(persisted), { signal })
    return () => ended.abort()
  }, [])

  function onKeyDown(event: KeyboardEvent): void {
    if (details.current?.open) {
      listbox.onKey(event.nativeEvent)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      trigger.current?.click()
    }
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    const { submitter } = event.nativeEvent
    const chosen = submitter instanceof HTMLButtonElement ? submitter.value : present
    if (coming === undefined) close(true)
    if (coming !== undefined || chosen === present) {
      event.preventDefault()
      return
    }
    setComing(chosen)
  }

  return (
    <form
      className={className}
      method="post"
      action={action}
      data-currencies={present}
      data-own={own}
      data-by-country={byCountry ? '' : undefined}
      aria-busy={coming === undefined ? undefined : true}
      onFocus={() => setUsed(true)}
      onKeyDown={onKeyDown}
      onSubmit={onSubmit}
      {...untouched}
    >
      <details name="currencies" ref={details} onToggle={onToggle}>
        {/* biome-ignore lint/a11y: a summary is operable. */}
        <summary
          ref={trigger}
          aria-haspopup={isUsed ? 'listbox' : undefined}
          onClick={(event) => coming !== undefined && event.preventDefault()}
        >
          <span className="screen-reader-text">{label} </span>
          <span className={currencyHooks.presentClass}>
            {shown?.flag && <FlagPicture drawing={shown.flag} />} {shown?.code}
          </span>
          {coming !== undefined && <span className={`${currencyHooks.loaderClass} ${currencyHooks.activeClass}`} />}
        </summary>
        <Listbox
          state={listbox}
          className="currency-switcher__list"
          role={isUsed ? 'listbox' : undefined}
          aria-label={isUsed ? label : undefined}
          onBlur={({ relatedTarget }) => relatedTarget && closeUnless(relatedTarget)}
        >
          {(option, attributes) => (
            <Currency option={option} isShown={option.code === shown?.code} attributes={attributes} isOption={isUsed} />
          )}
        </Listbox>
      </details>
    </form>
  )
}

type CurrencyProps = { option: CurrencyOption; isShown: boolean; attributes: OptionAttributes; isOption: boolean }

/** A button, which is an option of the listbox once there is one. */
function Currency({ option: { code, name, symbol, flag }, isShown, attributes, isOption }: CurrencyProps) {
  return (
    <li role={isOption ? 'none' : undefined}>
      <button
        type="submit"
        id={attributes.id}
        name={currencyHooks.name}
        value={code}
        className={`${currencyHooks.optionClass}${isShown ? ` ${currencyHooks.selectedClass}` : ''}`}
        {...(isOption
          ? { ...attributes, 'aria-selected': isShown, tabIndex: -1 }
          : { 'aria-current': isShown || undefined })}
      >
        {flag && <FlagPicture drawing={flag} />}
        {name && <span className="currency-switcher__name">{name}</span>}
        {symbol && (
          <span className="currency-switcher__symbol">
            (<bdi>{symbol}</bdi>)
          </span>
        )}
        <span className="currency-switcher__code">{code}</span>
      </button>
    </li>
  )
}
