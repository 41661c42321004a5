import type { ReactNode } from 'react'
import { fieldMessageId, missingAttribute } from '#contract/notices/hooks.ts'
import { FieldMessage } from '../notices/page-notices.tsx'
import { classNames } from '../shared/class-names.ts'
import { PasswordMeter } from './password-meter.tsx'

export type AccountField = {
  id: string
  label: string
  /** Name of the posted value; default: the id. */
  name?: string
  type?: 'text' | 'email' | 'password'
  autoComplete: string
  value?: string
  required?: boolean
  /** The posted value was rejected. */
  invalid?: boolean
  /** `first` and `last` share a row. */
  place?: 'first' | 'last' | 'wide'
  /** Classes for validation by scripts: `validate-required`. */
  rowClasses?: string
  /** The text that scripts insert under the empty field. */
  missing?: string
  /** Shows the strength of the new password. */
  meter?: boolean
  children?: ReactNode
}

/**
 * Names have the direction of their text. A password has none, and its button stands at the end of the page's
 * direction.
 */
const directions = { text: 'auto', email: 'ltr', password: undefined } as const

/** A field of an account form with its label. Scripts insert a show button into the wrapper of a password. */
export function AccountField({ id, label, name = id, type = 'text', place = 'wide', ...field }: AccountField) {
  const { autoComplete, value, required = true, invalid = false, meter, children } = field
  const hint = children ? `${id}_hint` : undefined
  const input = (
    <input
      type={type}
      dir={directions[type]}
      className="woocommerce-Input woocommerce-Input--text input-text"
      id={id}
      name={name}
      autoComplete={autoComplete}
      autoCapitalize={type === 'text' ? undefined : 'none'}
      defaultValue={value || undefined}
      maxLength={type === 'password' ? 512 : 254}
      aria-required={required || undefined}
      aria-invalid={invalid || undefined}
      aria-describedby={classNames(invalid && fieldMessageId(id), hint) || undefined}
    />
  )
  return (
    <p
      className={classNames(
        `woocommerce-form-row woocommerce-form-row--${place} form-row form-row-${place}`,
        field.rowClasses,
        invalid && 'woocommerce-invalid',
      )}
      id={`${id}_field`}
      {...{ [missingAttribute]: field.missing }}
    >
      <label htmlFor={id}>
        {label}{' '}
        {required && (
          <span className="required" aria-hidden="true">
            *
          </span>
        )}
      </label>
      {type === 'password' ? <span className="password-input">{input}</span> : input}
      {meter && <PasswordMeter field={id} />}
      {children && (
        <span className="account-hint" id={hint}>
          {children}
        </span>
      )}
      <FieldMessage fieldId={id} />
    </p>
  )
}
