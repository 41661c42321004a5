import { Fragment, type HTMLAttributes, type ReactNode, useRef } from 'react'
import type { ListboxState, ListOption } from './use-listbox.ts'
import { useWindowedRows } from './use-windowed-rows.ts'

/** Attributes of an element that make it an option of the list. */
export type OptionAttributes = HTMLAttributes<HTMLElement> & { readonly id: string }

type ListboxProps<Option extends ListOption> = Omit<HTMLAttributes<HTMLElement>, 'children'> & {
  readonly state: ListboxState<Option>
  readonly as?: 'ul' | 'div'
  /** Draws an option, with these attributes on the element that is it. */
  readonly children: (option: Option, attributes: OptionAttributes) => ReactNode
}

/** The list of a listbox, drawn from its options; a long one has only those in the document that are near to be seen. */
export function Listbox<Option extends ListOption>({
  state,
  as: List = 'ul',
  children,
  ...attributes
}: ListboxProps<Option>) {
  const { options, active, activation } = state
  const list = useRef<HTMLElement>(null)
  const { isWindowed, first, last, styleOf, onScroll } = useWindowedRows(list, { options, active, activation })
  return (
    <List
      role="listbox"
      {...attributes}
      ref={(element: HTMLElement | null) => {
        list.current = element
      }}
      onScroll={(event) => {
        onScroll()
        attributes.onScroll?.(event)
      }}
    >
      {options.slice(first, last).map((option, row) => (
        <Fragment key={option.id}>
          {children(option, {
            id: option.id,
            role: 'option',
            'aria-disabled': option.disabled || undefined,
            'aria-posinset': isWindowed ? first + row + 1 : undefined,
            'aria-setsize': isWindowed ? options.length : undefined,
            style: styleOf(first + row),
          })}
        </Fragment>
      ))}
    </List>
  )
}
