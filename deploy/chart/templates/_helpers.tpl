{{- define "tdf.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "tdf.labels" -}}
app.kubernetes.io/name: trucking-data-feed
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "tdf.selector" -}}
app.kubernetes.io/name: trucking-data-feed
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tdf.image" -}}
{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) | quote }}
{{- end -}}

{{- define "tdf.databaseSecret" -}}
{{- if .Values.database.enabled -}}
{{ include "tdf.name" . }}-database-app
{{- else -}}
{{ required "database.secretName names the Secret with the key uri when database.enabled is false" .Values.database.secretName }}
{{- end -}}
{{- end -}}

{{/* A container of the program. Needs root (the chart's scope), name and command. */}}
{{- define "tdf.container" -}}
- name: {{ .name }}
  image: {{ include "tdf.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities: { drop: [ALL] }
  env:
    - name: DATABASE_URL
      valueFrom: { secretKeyRef: { name: {{ include "tdf.databaseSecret" .root }}, key: uri } }
    {{- with .root.Values.database.directSecretName }}
    - name: DATABASE_DIRECT_URL
      valueFrom: { secretKeyRef: { name: {{ . }}, key: uri } }
    {{- end }}
    {{- with .root.Values.database.readSecretName }}
    - name: DATABASE_READ_URL
      valueFrom: { secretKeyRef: { name: {{ . }}, key: uri } }
    {{- end }}
    - name: SECRETS_KEY
      valueFrom: { secretKeyRef: { name: {{ .root.Values.secretName }}, key: SECRETS_KEY } }
    - name: SMTP_URL
      valueFrom: { secretKeyRef: { name: {{ .root.Values.secretName }}, key: SMTP_URL } }
    - name: ADMIN_PORT
      value: "9464"
    - name: PUBLIC_URL
      value: {{ .root.Values.publicUrl | quote }}
    - name: TRUST_PROXY_HOPS
      value: {{ .root.Values.trustProxyHops | quote }}
    - name: MAIL_FROM
      value: {{ .root.Values.mailFrom | quote }}
    - name: CONTACT_EMAIL
      value: {{ .root.Values.contactEmail | quote }}
    - name: OPERATOR_EMAIL
      value: {{ .root.Values.operatorEmail | quote }}
    {{- if .root.Values.privateCa.configMapName }}
    - name: NODE_EXTRA_CA_CERTS
      value: /etc/tdf/ca/{{ .root.Values.privateCa.key }}
    {{- end }}
    {{- range $name, $value := .root.Values.settings }}
    - name: {{ $name }}
      value: {{ $value | quote }}
    {{- end }}
{{- end -}}

{{/* What every pod of the program has. */}}
{{- define "tdf.pod" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
automountServiceAccountToken: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Keeps the pods of a component on several machines and zones. Needs root and component. */}}
{{- define "tdf.spread" -}}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: {{ $.root.Values.spread.whenUnsatisfiable }}
    labelSelector:
      matchLabels:
        {{- include "tdf.selector" $.root | nindent 8 }}
        app.kubernetes.io/component: {{ $.component }}
  {{- end }}
{{- end -}}

{{/* Where the program writes, and the certificates that it trusts. Needs root, and data: the volume of /data, or none. */}}
{{- define "tdf.mounts" -}}
volumeMounts:
  {{- if .data }}
  - { name: data, mountPath: /data }
  {{- end }}
  - { name: tmp, mountPath: /tmp }
  {{- if .root.Values.privateCa.configMapName }}
  - { name: ca, mountPath: /etc/tdf/ca, readOnly: true }
  {{- end }}
{{- end -}}

{{- define "tdf.volumes" -}}
volumes:
  {{- with .data }}
  - name: data
    {{- toYaml . | nindent 4 }}
  {{- end }}
  - { name: tmp, emptyDir: {} }
  {{- with .root.Values.privateCa.configMapName }}
  - { name: ca, configMap: { name: {{ . }} } }
  {{- end }}
{{- end -}}

{{/* The probes of a process that runs on. One that waits for migrations does not answer yet, so it gets ten minutes. */}}
{{- define "tdf.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: admin }
  periodSeconds: 2
  failureThreshold: 300
readinessProbe:
  httpGet: { path: /readyz, port: admin }
  periodSeconds: 3
livenessProbe:
  httpGet: { path: /healthz, port: admin }
  periodSeconds: 10
  failureThreshold: 6
{{- end -}}
