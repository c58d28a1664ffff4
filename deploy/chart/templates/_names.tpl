{{/* Name of everything: that of the release, with the chart's where it is not in it. */}}
{{- define "stratagem.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 55 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 55 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What selects the pods. Cannot change in the life of a release. */}}
{{- define "stratagem.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "stratagem.labels" -}}
{{ include "stratagem.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "stratagem.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* How to ask whether a server takes calls: by gRPC, or, where its port speaks TLS, which Kubernetes does not, at the port for metrics. */}}
{{- define "stratagem.probe" -}}
{{- if .Values.settings.tls_cert -}}
httpGet: { path: /ready, port: metrics }
{{- else -}}
grpc: { port: 50051 }
{{- end -}}
{{- end -}}
