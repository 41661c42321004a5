import { printedForField } from '#contract/addresses/hooks.ts'
import { fieldMessageId, missingAttribute } from '#contract/notices/hooks.ts'
import { placeholderText } from '#domain/addresses/address-fields.ts'
import { missingText } from '#domain/addresses/field-errors.ts'
import type { FieldFacts } from '#shop/checkout/checkout-facts.ts'
import { FieldMessage } from '../notices/page-notices.tsx'
import { classNames } from './class-names.ts'
import { useShop } from './shop-context.tsx'

type FormRowProps = {
  field: FieldFacts
  /** The posted value was rejected: a message on the page gives the reason. */
  invalid?: boolean
  children?: React.ReactNode
}

/** A field of an address form with its label and the hooks by which scripts adapt it to a country. */
export function FormRow({ field, invalid = false, children }: FormRowProps) {
  const { t } = useShop()
  return (
    <p
      className={classNames(
        'form-row',
        ...field.rowClasses,
        field.required && 'validate-required',
        ...field.validate.filter((kind) => kind !== 'required').map((kind) => `validate-${kind}`),
        invalid && 'woocommerce-invalid',
      )}
      id={`${field.id}_field`}
      data-priority={field.priority}
      {...{ [missingAttribute]: field.type === 'textarea' ? undefined : t(missingText(field.label)) }}
      hidden={field.hidden || undefined}
    >
      <label
        htmlFor={field.id}
        className={
          classNames(field.required && 'required_field', field.labelHidden && 'screen-reader-text') || undefined
        }
      >
        {t(field.label)}{' '}
        {field.required ? (
          <span className="required" aria-hidden="true">
            *
          </span>
        ) : (
          <span className="optional">{t('(optional)')}</span>
        )}
      </label>
      <span className="woocommerce-input-wrapper">
        <Control field={field} invalid={invalid} />
        {field.printedFor !== undefined && <PrintedFor state={field.id} country={field.printedFor} />}
      </span>
      {children}
      <FieldMessage fieldId={field.id} />
    </p>
  )
}

/**
 * Left to right in every language; other fields have the direction of their text: `1 Main Street` must not become `Main
 * Street 1`.
 */
const leftToRight = ['email', 'phone', 'postcode'] as const

function Control({ field, invalid }: { field: FieldFacts; invalid: boolean }) {
  const { t } = useShop()
  const shared = {
    id: field.id,
    name: field.id,
    'aria-required': field.required || undefined,
    'aria-invalid': invalid || undefined,
    'aria-describedby': invalid ? fieldMessageId(field.id) : undefined,
    autoComplete: field.autocomplete || undefined,
  }
  const placeholder = placeholderText(field.placeholder ?? '', t) || undefined
  if (field.type === 'textarea') {
    return (
      <textarea
        {...shared}
        dir="auto"
        className="input-text"
        placeholder={placeholder}
        rows={2}
        defaultValue={field.value}
      />
    )
  }
  if (field.type === 'country') {
    const single = field.options.length === 1
    return (
      <select
        {...shared}
        className={classNames('country_to_state country_select', single && 'country_to_state--single')}
        data-placeholder={placeholder ?? t('Select a country / region…')}
        data-label={t(field.label)}
        defaultValue={single ? field.options[0]?.value : field.value}
      >
        {!single && <option value="">{t('Select a country / region…')}</option>}
        <Options field={field} />
      </select>
    )
  }
  if (field.type === 'state' && field.options.length > 0) {
    return (
      <select
        {...shared}
        className="state_select"
        data-placeholder={placeholder ?? t('Select an option…')}
        data-input-classes=""
        data-label={t(field.label)}
        defaultValue={field.value}
      >
        <option value="">{t('Select an option…')}</option>
        <Options field={field} />
      </select>
    )
  }
  if (field.type === 'state' && field.hidden) {
    return (
      <input
        {...shared}
        type="hidden"
        className="hidden"
        data-input-classes=""
        data-label={t(field.label)}
        defaultValue=""
      />
    )
  }
  return (
    <input
      {...shared}
      type={field.type === 'state' ? 'text' : field.type}
      dir={leftToRight.some((kind) => field.validate.includes(kind)) ? 'ltr' : 'auto'}
      className="input-text"
      placeholder={placeholder}
      defaultValue={field.value}
      data-input-classes={field.type === 'state' ? '' : undefined}
      data-label={field.type === 'state' ? t(field.label) : undefined}
    />
  )
}

/**
 * The country that the state field was printed for: without scripts the field does not follow a changed country.
 * Third-party scripts change the field and must not submit this.
 */
export function PrintedFor({ state, country }: { state: string; country: string }) {
  return (
    <noscript>
      <input type="hidden" name={printedForField(state)} value={country} />
    </noscript>
  )
}

function Options({ field }: { field: FieldFacts }) {
  return field.options.map((option) => (
    <option key={option.value} value={option.value}>
      {option.label}
    </option>
  ))
}
