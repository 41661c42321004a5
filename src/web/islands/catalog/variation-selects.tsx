import type { OptionState } from '#domain/catalog/match-variation.ts'
import { attributeName } from './variation-choice.ts'
import type { OpenOptions } from './variation-driver.ts'
import type { VariationAttribute, VariationTexts } from './variation-form.tsx'

export type VariationSelectsProps = {
  attributes: readonly VariationAttribute[]
  /** Null until a script filters: all options, so that the form works without. */
  open: OpenOptions | null
  texts: VariationTexts
  resettable: boolean
  onReset: () => void
}

/** One select for each attribute. They keep their own values, because other scripts set them too. */
export function VariationSelects({ attributes, open, texts, resettable, onReset }: VariationSelectsProps) {
  return (
    <table className="variations" role="presentation">
      <tbody>
        {attributes.map((attribute, place) => (
          <tr key={attribute.slug}>
            <th className="label">
              <label htmlFor={attribute.slug}>{attribute.label}</label>
            </th>
            <td className="value">
              <Select attribute={attribute} states={open?.get(attribute.slug)} choose={texts.choose} />
              {place === attributes.length - 1 && (
                // biome-ignore lint/a11y/useValidAnchor: the public interface has a link here.
                <a
                  className={resettable ? 'reset_variations is-visible' : 'reset_variations'}
                  href="#"
                  aria-label={texts.clearLabel}
                  onClick={(event) => {
                    event.preventDefault()
                    onReset()
                  }}
                  onKeyDown={(event) => {
                    if (event.key !== ' ') return
                    event.preventDefault()
                    onReset()
                  }}
                >
                  {texts.clear}
                </a>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Select({
  attribute: { slug, options, defaultOption },
  states,
  choose,
}: {
  attribute: VariationAttribute
  states: readonly OptionState[] | undefined
  choose: string
}) {
  const stateOf = (value: string) => (states ? states.find((state) => state.value === value) : { enabled: true })
  return (
    <select
      id={slug}
      name={attributeName(slug)}
      data-attribute_name={attributeName(slug)}
      data-show_option_none="yes"
      defaultValue={defaultOption}
    >
      <option value="">{choose}</option>
      {options.map(({ value, label }) => {
        const state = stateOf(value)
        if (!state) return null
        return (
          <option
            key={value}
            value={value}
            className={state.enabled ? 'attached enabled' : 'attached'}
            disabled={!state.enabled}
          >
            {label}
          </option>
        )
      })}
    </select>
  )
}
