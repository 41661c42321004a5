import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect } from 'react'
import type { SelectTexts } from '#contract/shared/browser-settings.ts'
import type { Choice } from '../../../browser/adapters/addresses/searchable-select/choices.ts'
import { Listbox } from '../../shared/listbox.tsx'
import { useListbox } from '../../shared/use-listbox.ts'
import { selectMessages } from './messages.ts'
import { beginsWith } from './options.ts'
import { type ChoiceSource, type FoundChoice, useFoundChoices } from './use-found-choices.ts'

export type SelectDropdownProps = ChoiceSource & {
  /** Letters typed on the closed select. */
  readonly typedBefore: string
  /** The name of field and list, as attributes. */
  readonly naming: { readonly 'aria-labelledby'?: string; readonly 'aria-label'?: string }
  readonly multiple: boolean
  /** Maximum number of selected entries. With 1, a new choice replaces the previous one. */
  readonly most: number
  /** The values that are selected. */
  readonly chosen: readonly string[]
  /** The shop's texts, which go before the library's own. */
  readonly texts: Partial<SelectTexts>
  choose(choice: Choice, keepOpen: boolean): void
  /** The focus returns to the select. */
  close(): void
}

/** Pixels from the end of the list at which the next page is requested. */
const nearEndPx = 50

/** The open list of a searchable select: a search field, its results and their status message. */
export function SelectDropdown(props: SelectDropdownProps) {
  const { id, naming, multiple, chosen, choose, close } = props
  const { term, found, state, search, askMore } = useFoundChoices(props, props.typedBefore)
  const listId = `${id}-results`
  const isTyped = term.trim() !== ''

  const listbox = useListbox({
    options: found,
    hasField: true,
    // Focuses the select first, so that the browser continues with the next field.
    closesOnTab: true,
    choose(option) {
      if (option) choose(option.choice, false)
      return true
    },
    close,
  })
  const { active, activate } = listbox

  const onFound = useEffectEvent(() => {
    const open = found.filter(({ disabled }) => !disabled)
    activate(open.find(({ choice }) => (isTyped ? beginsWith(choice, term) : chosen.includes(choice.id))) ?? open[0])
  })
  // Those of a further page leave the first where it is.
  const [first] = found
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is why the effect runs.
  useLayoutEffect(() => onFound(), [first])

  const askNearEnd = () => {
    const list = document.getElementById(listId)
    if (list && list.scrollTop + list.clientHeight >= list.scrollHeight - nearEndPx) askMore()
  }
  const onAnswer = useEffectEvent(askNearEnd)
  // A page that does not fill the list cannot be scrolled to its end.
  useEffect(() => {
    if (found.length > 0) onAnswer()
  }, [found])

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === ' ' && event.ctrlKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      event.stopPropagation()
      if (active) choose(active.choice, true)
    } else listbox.onKey(event.nativeEvent)
  }

  const [message, isSeen] = messageOf(props, { term, found, state })
  return (
    <>
      <span className="select2-search select2-search--dropdown">
        <input
          className="select2-search__field"
          type="text"
          inputMode="search"
          enterKeyHint="done"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls={listId}
          aria-owns={listId}
          aria-activedescendant={active?.id}
          {...naming}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          defaultValue={props.typedBefore}
          onInput={({ currentTarget }) => search(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </span>
      <span className="select2-results">
        <Listbox
          state={listbox}
          id={listId}
          className="select2-results__options"
          aria-multiselectable={multiple || undefined}
          {...naming}
          // Pressing an entry keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onScroll={askNearEnd}
        >
          {(option, attributes) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and has the keys.
            <li
              {...attributes}
              className={`select2-results__option${option === active ? ' select2-results__option--highlighted' : ''}`}
              {...marks(chosen.includes(option.choice.id))}
              data-value={option.choice.id}
              onClick={({ ctrlKey, metaKey }) => option.disabled || choose(option.choice, ctrlKey || metaKey)}
              onPointerMove={() => option.disabled || option === active || activate(option, false)}
            >
              {option.choice.text}
            </li>
          )}
        </Listbox>
        <span className={`select2-results__message${isSeen && message ? '' : ' screen-reader-text'}`} role="status">
          {message}
        </span>
      </span>
    </>
  )
}

const marks = (isChosen: boolean) => ({ 'aria-selected': isChosen, 'data-selected': isChosen })

type Results = { term: string; found: readonly FoundChoice[]; state: ReturnType<typeof useFoundChoices>['state'] }

/** @returns what is said below the list, and whether to those who see it too */
function messageOf(props: SelectDropdownProps, { term, found, state }: Results): [text: string, isSeen: boolean] {
  const { multiple, most, chosen, shortest, longest } = props
  const messages = selectMessages(props.texts)
  const { length } = term.trim()
  if (state === 'tooShort') return [messages.tooShort(shortest - length), true]
  if (state === 'tooLong') return [messages.tooLong(length - longest), true]
  if (state !== 'done') return [messages[state], true]
  if (found.length === 0) return [messages.none, true]
  if (multiple && chosen.length >= most) return [messages.tooMany(most), true]
  return [length > 0 ? messages.found(found.length) : '', false]
}
