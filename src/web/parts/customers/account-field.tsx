import type { ReactNode } from 'react'
import { messageId } from '#contract/notices/hooks.ts'
import { FieldMessage } from '../notices/page-notices.tsx'
import { classNames } from '../shared/class-names.ts'

export type AccountField = {
  id: string
  label: string
  /** As it is posted; the id unless told. */
  name?: string
  type?: 'text' | 'email' | 'password'
  autoComplete: string
  value?: string
  required?: boolean
  /** What was posted here was refused. */
  invalid?: boolean
  /** `first` and `last` share a line. */
  place?: 'first' | 'last' | 'wide'
  /** What scripts check in it: `validate-required`. */
  rowClasses?: string
  children?: ReactNode
}

/** Names are read as they are typed. A password shows nothing of either, and its button stands where the page ends. */
const directions = { text: 'auto', email: 'ltr', password: undefined } as const

/** One field of an account's form with its label. Scripts put a show button into the wrapper of a password. */
export function AccountField({ id, label, name = id, type = 'text', place = 'wide', ...field }: AccountField) {
  const { autoComplete, value, required = true, invalid = false, children } = field
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
      aria-describedby={classNames(invalid && messageId(id), hint) || undefined}
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
      {children && (
        <span className="account-hint" id={hint}>
          {children}
        </span>
      )}
      <FieldMessage fieldId={id} />
    </p>
  )
}
