import { FlaskConical, Hammer, TerminalSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { useI18n } from '../../i18n/i18n.tsx';
import { CopyIconButton } from '../../widgets/Copy.tsx';
import { quote } from './ContextList.tsx';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** What begins in a terminal, with commands that work as they stand: with the kubeconfig this window was started with, if it was. */
export function FromTerminal(props: {
  readonly context: string | undefined;
  /** Of the flag; undefined where the commands find their kubeconfig as this window did. */
  readonly kubeconfig: string | undefined;
}): ReactNode {
  const { t } = useI18n();
  const { context = 'NAME', kubeconfig } = props;
  const flag = kubeconfig === undefined ? '' : ` --kubeconfig ${quote(kubeconfig)}`;
  const lines = [
    { id: 'testbed', icon: <FlaskConical {...icon} />, command: t('connect.start.testbed.command') },
    { id: 'run', icon: <Hammer {...icon} />, command: t('connect.start.run.command', { flag }) },
    {
      id: 'check',
      icon: <TerminalSquare {...icon} />,
      command: t('connect.start.check.command', { flag, context: quote(context) }),
    },
  ] as const;
  return (
    <section className="terminal" aria-label={t('connect.start.title')}>
      <h2 className="strong">{t('connect.start.title')}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line.id} title={t(`connect.start.${line.id}.text`)}>
            <span className="tertiary">{line.icon}</span>
            <span className="small">{t(`connect.start.${line.id}`)}</span>
            <code className="cut secondary" title={line.command}>
              {line.command}
            </code>
            <CopyIconButton text={line.command} label={`${t('action.copy')}: ${line.command}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
